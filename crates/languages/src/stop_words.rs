//! Function words of each language: articles, prepositions, conjunctions, pronouns, auxiliaries and question words, in
//! lower case, apart by spaces. Words also stand without their accents, as they are often typed, unless they are another word
//! so (the Turkish "şu", this, and "su", water); Serbian ones stand in both scripts.
//! Words that also name a thing (the French "été", a summer) are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The stop words of each language, by its ISO 639-1 code.
const TABLES: [(&str, &str); 29] = [
    ("ar", ARABIC),
    ("ca", CATALAN),
    ("da", DANISH),
    ("de", GERMAN),
    ("el", GREEK),
    ("es", SPANISH),
    ("fi", FINNISH),
    ("fr", FRENCH),
    ("hi", HINDI),
    ("hu", HUNGARIAN),
    ("id", INDONESIAN),
    ("it", ITALIAN),
    ("nl", DUTCH),
    ("no", NORWEGIAN),
    ("pt", PORTUGUESE),
    ("ro", ROMANIAN),
    ("ru", RUSSIAN),
    ("sv", SWEDISH),
    ("tr", TURKISH),
    ("eo", ESPERANTO),
    ("et", ESTONIAN),
    ("eu", BASQUE),
    ("ga", IRISH),
    ("hy", ARMENIAN),
    ("lt", LITHUANIAN),
    ("ne", NEPALI),
    ("sr", SERBIAN),
    ("ta", TAMIL),
    ("yi", YIDDISH),
];

/// The tables as sets: a build asks about every word of every page.
static SETS: LazyLock<BTreeMap<&str, BTreeSet<&str>>> =
    LazyLock::new(|| TABLES.iter().map(|(language, _)| (*language, all(language).collect())).collect());

/// Whether `word`, in lower case, is one.
pub(crate) fn is_one(language: &str, word: &str) -> bool {
    SETS.get(language).is_some_and(|words| words.contains(word))
}

/// Every stop word of a language.
pub(crate) fn all(language: &str) -> impl Iterator<Item = &'static str> {
    let table = TABLES.iter().find(|(known, _)| *known == language).map_or("", |(_, table)| table);
    table.split_ascii_whitespace()
}

const GERMAN: &str = "\
aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit dann das dass daß \
dein deine dem den denn der des dessen deren dich die dies diese diesem diesen dieser dieses dir doch dort du durch \
ein eine einem einen einer eines er es etwas euch euer für fur gegen gibt hab habe haben hat hatte hatten hier hin \
hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jene kann kein \
keine können konnen könnte konnte man mehr mein meine mich mir mit muss müssen mussen nach nicht noch nur ob oder ohne \
sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollen sondern sonst über um und uns unser \
unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden \
wessen weshalb wie wieso wieviel will wir wird wo woher wohin womit wofür wofur worden wurde wurden würde zu zum zur \
zwischen fuer ueber koennen koennte muessen wofuer wuerde";

const FRENCH: &str = "\
a à afin ai ainsi alors après apres au aucun aucune aussi autre autres aux avant avec avoir avait ce ceci cela celle \
celles celui ces cet cette ceux chaque chez comme comment dans de depuis des donc dont du elle elles en entre es est \
et étaient etaient était etait être etre eu eux fait faut ici il ils je jusque la là le les leur leurs lors lorsque \
lui ma mais me même meme mes moi mon ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus \
pour pourquoi puis quand que quel quelle quelles quels qui quoi sa sans se selon sera ses si soi soit son sont sous \
suis sur ta te tes toi ton tous tout toute toutes tu un une vers vos votre vous y";

const SPANISH: &str = "\
a al algo algún algun alguna algunas alguno algunos ante antes aquel aquella aunque cada como cómo con contra cual \
cuál cuales cuáles cuando cuándo cuánta cuanta cuántas cuantas cuánto cuanto cuantos cuántos de del desde donde dónde \
dos durante e el él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está estaba están estan \
estar estas este esto estos fue fueron ha hace hacia han hasta hay la las le les lo los más mas me mi mí mientras mis \
mucho muy ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque porqué puede pueden \
pues que qué quien quién quiénes quienes se según segun ser si sí sin sobre son soy su sus también tambien tan tanto \
te tiene tienen toda todas todo todos tras tu tú tus u un una unas uno unos usted ustedes y ya yo";

const PORTUGUESE: &str = "\
a à ao aos aquela aquele aqueles aquilo as às até ate cada com como da das de dela dele deles depois do dos e é ela \
elas ele eles em entre era eram essa essas esse esses esta está estão estao estas este estes eu foi foram há ha isso \
isto já ja la lhe lhes mais mas me mesmo meu meus minha minhas muito na nas não nao nem no nos nós nossa nosso num \
numa o onde os ou outra outro para pela pelas pelo pelos pode podem por porque porquê porém porem qual quais quando \
quanto quantos quem que quê se sem ser será sera seu seus só so sob sobre sua suas são sao também tambem te tem têm \
tinha tu tua um uma umas uns você voce vocês voces vos";

const ITALIAN: &str = "\
a abbia ad agli ai al alla alle allo anche ancora avere aveva c che chi ci cioè cioe col come con contro cosa cui da \
dagli dai dal dalla dalle dallo degli dei del della delle dello di dove dopo due e è ed era erano essere fa fra fu \
furono gli ha hanno ho i il in io la le lei li lo loro lui ma me mentre mi mia mio molto ne né negli nei nel nella \
nelle nello noi non nostro o od ogni per perché perche però pero più piu poi può puo possono prima qual quale quali \
quando quanta quante quanti quanto quella quelle quelli quello questa queste questi questo qui sarà se sei senza si sì \
sia siamo sono sopra sotto sta su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu tua tuo tutti tutto un una \
uno vi voi";

const CATALAN: &str = "\
a al als altre altres amb aquell aquella aquest aquesta aquests això aixo com contra cada d de del dels des dins doncs \
durant e el ell ella ells els em en ens entre era és es esta està estan estar et fins ha han hi ho i jo l la les li lo \
los m mes més meu mentre molt n ni no nosaltres o on per perquè perque però pero pot qual quals quan quant quants que \
què quin quina quins quines s sa se sense ser seu seva si sí són son sobre sota també tambe te tot tots tu un una uns \
va vam van";

const DUTCH: &str = "\
aan al alle alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens elke en er ge \
geen had hadden heb hebben heeft hem het hier hij hoe hoeveel hun iets ik in is ja je jij jou jouw kan kon kunnen maar \
me meer men met mij mijn moet na naar niet nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot \
u uit uw van veel voor waar waarom waarmee wanneer want waren was wat we wel welk welke werd werden wie wij wil word \
worden wordt zal ze zelf zich zij zijn zo zonder zou";

const DANISH: &str = "\
af alle alt anden at da de dem den denne der deres det dette dig din disse dit du efter eller en end er et for fordi \
fra gennem ham han hans har havde have hende hendes her hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan \
hvorfor hvornår hvornar i ikke ind jeg jer jo kan kunne man mange med meget men mig min mine mod må ma ned nej noget \
nogle nu når og også ogsa om op os over på pa samt selv sig sin sine sit skal skulle som til ud under var ved vi vil \
ville være vaere været vaeret";

const NORWEGIAN: &str = "\
af alle at av da de deg dei dem den denne der dere deres det dette di din disse ditt du eg ein eit ei eller en enn er \
et etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvilke hvilken hvilket hvis hvor \
hvordan hvorfor i ikke ikkje inn jeg kan korleis kva kvar kvifor kven kunne man mange med meg meget mellom men min \
mitt mot må ma når noe noen nå na og også ogsa om opp oss over på pa seg selv si sin sine sitt skal skulle slik som så \
sa til under ut var ved vi vil ville vår være vaere vært vaert";

const SWEDISH: &str = "\
alla allt att av blev bli blir de dem den denna deras dess dessa det detta dig din dina ditt du där dar efter ej eller \
en er era ett från fran för for genom ha hade han hans har henne hennes hon honom hur här i icke in ingen inom inte \
jag ju kan kunde man med mellan men mig min mina mitt mot mycket när nar någon nagon något nagot några nagra och också \
ocksa om oss på pa samma sedan sig sin sina sitt ska skall skulle som så sa till under upp ut utan vad var varför \
varfor vara varit varje vart vem vems vi vid vilka vilkas vilken vilket vår våra än an är åt at över over";

const FINNISH: &str = "\
ei eivät eivat emme en että etta he heidän heidan heitä heita hän han hänen hanen hänet hanet häntä hanta ja jo joka \
jonka jos jossa jota jotka kanssa keiden ketkä ketka kuin kuinka kuka kun kuten koska me meidän meidan meitä meita \
mihin mikä mika mikäli mikali miksi millainen millä milla milloin minkä minka minne minun minä mina minua missä missa \
mistä mista mitkä mitka mitä mita mutta myös myos ne niiden niin niitä niita noin nuo nyt näiden naiden nämä nama \
näitä naita ole olemme olen olet olette oli olisi olivat olla on ovat se sekä seka sen siinä siina siitä siita sillä \
silla sinun sinä sina sitä sita tai te teidän teidan tuo tämä tama tämän taman tässä tassa tästä tasta tätä tata vaan \
vai vain voi voidaan voiko";

const HUNGARIAN: &str = "\
a abban ahhoz ahogy aki akik akkor amely amelyek ami amit arra az azok azon azonban azt aztán aztan be csak de e egy \
egyik el és es ez ezek ezen ezért ezert ezt fel ha hanem hány hany hogy hogyan hol honnan hová hova így igy ill \
illetve ilyen is itt ki kik kit le legyen lesz lehet mely melyik melyek meg mert mi miért miert mikor milyen mint mit \
mivel nagyon ne nem nincs ő o ők ön on pedig s sem volt voltak van vagy vannak után utan által altal át at össze ossze";

const ROMANIAN: &str = "\
a ai al ale am ar are aș as au această aceasta aceste acest acestea acești acesti ca că care cât câte cate câți cati \
ce cel cele cei cine cu cum când cand de deci despre din dintre după dupa ea ei el ele era erau este eu fi fie fost \
iar în in între intre îl il îi ii îmi imi își isi la le lor lui mai mă ma mea meu mult nu noi nostru o ori pe pentru \
prin poate pot sa să sale sau se sunt s și si spre sub te tot toate tu un una unde unei unor unui vă va voi vor";

const RUSSIAN: &str = "\
а без более бы был была были было быть в вам вас ваш во вот все всё всего всех вы где да даже для до его ее её ей ему \
если есть еще ещё же за здесь и из или им их к как какая какие каким какими каков какова какое какой какую кем ко \
когда кого кому которая которое которые который которых кто куда ли либо между меня мне мной мой мы на над нам нас наш \
не него нее неё ней нет ни них но о об однако он она они оно от откуда очень по под после потому почему при про с сам \
свой себя сколько со так также такая такие такое такой там тебя тем то того тоже той только том тот ту ты у уже чего чей чем \
через что чтобы чьи чья эта эти это этого этой этом этот эту я является являются";

const TURKISH: &str = "\
acaba ama ancak aslında aslinda az bana bazı bazi belki ben beni benim bile bir biri biz bize bizim bu bunlar bunu \
bunun çok cok çünkü cunku da daha de değil degil diye en gibi göre gore hangi hangisi hem hep hepsi her hiç hic için \
icin ile ise kaç kac kadar ki kim kime kimin mi mı mu mü mıdır midir nasıl nasil ne neden nedir nerede nereden nereye \
niçin nicin niye o olan olarak oldu olduğu oldugu olur onlar onu onun öyle oyle sana sen siz size sonra şey sey şu tüm \
tum var ve veya ya yani yok";

const GREEK: &str = "\
αλλά αλλα αν από απο αυτά αυτα αυτή αυτη αυτό αυτο αυτός αυτος για δεν εάν εαν εγώ εγω είναι ειναι είχε ειχε εκεί εκει \
ενώ ενω επί επι εσύ εσυ έχει εχει έχουν εχουν η ή ήταν ηταν θα και κατά κατα με μετά μετα μη μην μια μία μας μου να ο \
οι όμως ομως όπως οπως όπου οπου οποία οποια οποίο οποιο οποίος οποιος όταν οταν ότι οτι ου πιο ποια ποιά ποιες ποιο \
ποιοι ποιον ποιος ποιός πόσα ποσα πόσο ποσο πόσοι ποσοι πότε ποτε που πού προς πως πώς σας σε στα στη στην στις στο \
στον στους σου τα τη την της τι τις το τον του τους των υπό υπο ως";

const ARABIC: &str = "\
في من على إلى الى عن مع هذا هذه ذلك تلك هؤلاء الذي التي الذين اللذان ما ماذا لماذا كيف متى أين اين هل كم أي اي أو او و \
ف ثم أن ان إن أنه انه أنها كان كانت يكون تكون ليس ليست لا لم لن قد هو هي هم هن نحن أنا انا أنت انت كل بعض بعد قبل بين \
حتى إذا اذا لكن عند منذ غير حيث كما لقد هناك بها به له لها فيه فيها منه منها عليه عليها إليه";

const HINDI: &str = "\
का की के को में से पर और या है हैं था थी थे हो होता होती होते हुआ हुई हुए ने यह ये वह वे इस उस इन उन इसे उसे इसके उसके \
जो जिस जिन कि क्या कैसे क्यों कब कहाँ कहां कौन किस किसे किसने कितना कितने कितनी कौनसा भी ही तो तक लिए एक कर करना करने \
किया गया गई गए जाता जाती जाते नहीं न मैं हम तुम आप मेरा हमारा आपका अपना अपने साथ बाद द्वारा";

const INDONESIAN: &str = "\
ada adalah agar akan aku anda antara apa apakah atau bagaimana bagi bahwa banyak beberapa berapa bisa bukan dalam dan \
dapat dari dengan di dia hanya harus ia ini itu jika juga kami kamu kapan karena ke kepada kita lagi lebih maka mana \
masih mengapa mereka namun oleh pada para pun saat saja sangat saya sebagai sebuah sedang sejak seperti serta siapa \
suatu sudah telah tentang tersebut tetapi tidak untuk yaitu yang";

const ESPERANTO: &str = "\
al ankaŭ ankau antaŭ antau apud aŭ au ĉar car ĉe ce ĉi ci ĉio cio ĉiu ciu ĉiuj ciuj ĉu cu da de dum ebla eble ekde el \
en estas esti estis estos estus eĉ ec far ĝi gi ĝia gia ĝiaj giaj ĝis gis ĝin gin havas havi havis ili ilia iliaj ilin \
inter iu iuj ja jam je jes kaj ke kia kiaj kial kiam kie kiel kies kio kion kiom kiu kiuj kiun kun kvankam la laŭ lau \
li lia liaj lin malgraŭ malgrau mem mi mia miaj min mult multe ne nek nenio neniu ni nia niaj nin nur ol oni per plej \
pli plu po por post povas povis preter preskaŭ preskau pri pro se sed sen si sia siaj sin sub super sur sxi ŝi ŝia ŝin \
tamen tia tiaj tial tiam tie tiel tio tion tiu tiuj trans tra tre vi via viaj vin";

const ESTONIAN: &str = "\
aga ainult alates all alla arvatud ei eks ega enam enne ennast et ette ga ilma ise iga igaüks igauks iseenda ja jah \
järel jarel järgi jargi juba juures kas kes keda kelle kellele kelleks kellel keegi kohta koos kõik koik kõige koige \
kogu kui kuid kuidas kuigi kuna kuni kus kuhu kust küll kull läbi labi ma me meie mida midagi mille millal milles \
milline millised millist millega mina mis miks mitte mu mul minu muu nad näiteks naiteks need neid nende neil nii nagu \
ning nüüd nuud oleks olema olen olete oli olid olla ole on pärast parast peab peale poolt pole sa samuti saab saavad \
see seda selle selles sellest selleks sellega sealt seal sest siin siis sina sinu sisse sul suhtes ta tal tema teda \
temaga te teie teil too tuleb tõttu tottu üks üle ule üles ules vaid vastu veel või voi võib voib võivad voivad väga \
vaga vahel välja valja";

const BASQUE: &str = "\
al ala aldiz arte artean at azken baina baita baizik bakoitza bat batean batek baten batzuek batzuk batzuen bera \
beraiek berau berauek bere berean berri bezala da dago daude den dena diete dira diren dit ditu dituzte du duen dugu \
dute duten egin egon egiten ere eta ez gabe gainean gu guk gure guztia guztiak guztien hainbat han handik hango hara \
hau hauek hauei hauetan hemen hemendik hona honek honen honetan hor horiek horrek horren horretan hura hori izan \
izango izaten lortu nahiz nahi ni nik nire noiz nola nolako non nondik nongo nor nora norekin noren nori nork noski \
oso orain ote ordea zein zeinek zeintzuk zelan zenbat zer zeren zergatik zerekin zerk zertarako zion zituen zu zuen \
zuek zuk zure";

const IRISH: &str = "\
a ach ag agus an ann aon ar arna as atá ata ba beirt bhí bhi bhúr bhur bheith bíonn bionn cá ca cad cathain cé ce \
ceann cén cen céard ceard ceithre chomh chuig chun conas cúig cuig d de deich den dhá dha do don dó dom duit é e ea \
eile faoi faoin fiú fiu fós fos gach gan go gur i iad idir ina inár inar inniu ins is í le leis léi lei linn liom lena \
mar má ma mé me mo muid ná nach ní ni níl nil níor nior níos nios nó no na nuair ó o óna ona os roimh san sé se sí si \
sibh siad sin sinn seo síos sios tá ta tar tú tu trí tri trína trina um uaidh uair uile";

const ARMENIAN: &str = "\
այդ այլ այն այնպես այս այստեղ այնտեղ ամեն ամենը ապա արդեն բայց բոլոր բոլորը գուցե դա դեպի դու դուք եթե ես են ենք եք \
եմ է էի էին էինք էիր էիք էր ըստ թե ի իսկ իր իրենց իմ ինչ ինչի ինչպես ինչպիսի ինչու ինչքան կամ կա կան կարող կից հետ \
հետո համար ձեր մեր մեջ մեկ մենք միայն մինչև մի մոտ նա նաև նման նրա նրանք նրանց շատ որ որը որի որոնք որոնց որպես \
որտեղ ով ովքեր ու ում չի չէ պիտի պետք սա սակայն վրա տակ դեռ միջև առանց երբ էլ և քան քեզ քո";

const LITHUANIAN: &str = "\
aš as ant apie ar arba be bei bet buvo būti buti būtų butu bus būna buna čia cia dar dėl del deja iki ir iš is į i ja \
jai jam jame jau jei jeigu ji jie jiems jis jo jog jos jų ju juk juo kad kada kai kaip kam kame kas ką ka ko kodėl \
kodel kol koks kokia kokie kokios kur kuri kurie kuriame kurio kurios kuris kurią kuria kurį kurių kuriu labai man \
mano manęs manes mane mes mums mus mūsų musu nei ne nėra nera negu net nes nors nuo o pas pat pagal paskui per po prie \
prieš pries pro sau savo save šalia salia ši si šie sie šio sio šios sios šis sis šią sia šį šių siu su ta tačiau \
taciau tad tai taip tam tame tas tą ten tie tiek tik to tokia toks tos tu tuo turi turėti tureti tų už uz vis visas \
visi viso visų visu virš virs vien vienas yra";

const NEPALI: &str = "\
छ छन् छैन छैनन् थियो थिए थिइन् हो हुन् हुन्छ हुन्छन् होइन भयो भए भएको भएका भएर भन्ने भनेर भने गर्ने गर्न गरेको गरे \
गर्छ गर्छन् र वा पनि तर तथा एवं अनि यदि किनभने त नै मात्र सम्म देखि बाट ले लाई को का की मा सँग संग द्वारा लागि म \
हामी तिमी तपाईं ऊ उनी उनले उनको यो यस यसको यसले यी त्यो त्यस त्यसको ती आफ्नो हाम्रो मेरो के कुन कसरी कसले कसको कहाँ \
कहिले कति किन जो जुन जसले जसको जब तब जहाँ त्यहाँ यहाँ एक सबै केही अन्य धेरै यस्तो त्यस्तो कस्तो";

const SERBIAN: &str = "\
a ali bez bi bih bila bili bilo bio biti bismo biste čak cak će ce ćemo cemo ćete cete ćeš ces ću cu čega cega čemu \
cemu da dakle dok do ga gde gdje hoće hoce i iako ih ili im ima imaju iz između izmedu ja je jedan jedna jedno jer \
jesam jeste jesu još ju k kad kada kako kao kojeg kojem koje koji kojih kojima koju koja kom ko koga kome koliko kroz \
li me među medu mene meni mi moj moja moje možda mozda mogu može moze mu na nad naš naša naše ne nego neki neka neke \
nema nije nisu nikada ništa nista njega njegov njegova njegovo njemu njen njena njeno njih njihov njihova njihovo \
njima no o od on ona onda oni ono ova ovaj ove ovo pa po pod pored posle pre pri prema preko protiv s sa sam samo se \
sebe si smo šta sta što ste su sva sve svi svih svoj svoja svoje ta tada taj tako takođe takode te tebe ti to toga tom \
treba tu tvoj u uz vam vas već vec vi vrlo za zašto zasto zbog zato а али без би бих била били било био бити бисмо \
бисте чак ће ћемо ћете ћеш ћу чега чему да дакле док до га где гдје хоће и иако их или им има имају из између ја је \
један једна једно јер јесам јесте јесу још ју к кад када како као којег којем које који којих којима коју која ком ко \
кога коме колико кроз ли ме међу мене мени ми мој моја моје можда могу може му на над наш наша наше не него неки нека \
неке нема није нису никада ништа њега његов његова његово њему њен њена њено њих њихов њихова њихово њима но о од он \
она онда они оно ова овај ове ово па по под поред после пре при према преко против с са сам само се себе си смо шта \
што сте су сва све сви свих свој своја своје та тада тај тако такође те тебе ти то тога том треба ту твој у уз вам вас \
већ ви врло за зашто због зато";

const TAMIL: &str = "\
அது அதன் அதை அதில் அதற்கு அந்த அவர் அவர்கள் அவரது அவன் அவள் அவை அல்லது ஆகிய ஆகும் ஆன ஆனால் ஆம் இங்கே இது இதன் இதை \
இதில் இதற்கு இந்த இல்லை இருந்த இருந்து இருக்கும் இருக்கிறது இருந்தது இவர் இவை உள்ள உள்ளது உள்ளன ஏன் எது எதை எந்த \
எப்படி எப்போது என எனக்கு என்ன என்பது என்பதை என்ற என்று என்னும் எல்லா எல்லாம் எவ்வளவு எவ்வாறு எத்தனை எங்கே எங்கு ஒரு \
ஓர் கூட கொண்டு சில சிலர் செய்து தன் தான் தங்கள் நான் நாம் நாங்கள் நீ நீங்கள் பல பற்றி பிற பின் பின்னர் போது போன்ற \
மற்றும் மேலும் மிக மட்டும் முன் மூலம் யார் யாரை வரை வேண்டும் வந்து வேறு";

const YIDDISH: &str = "\
און אויף אויך אויס אויב אז אבער אדער איז איר אין אינעם איך איבער אונדז אונטער אונדזער אט אָדער אָבער אַז אַ אַן א אן \
ביי ביז בין ביסט ביזט בלויז געווען געוועזן געהאט דאס דאָס די דער דעם דאך דאן דורך דו דיר דיך דא דאָ האט האָט האבן \
האָבן האסט הינטער וואס וואָס ווי ווען ווער וועמען וועלכער וועלכע וועלן וועט ווייל וויפל ווידער ווו וואו פארוואס \
פאַרוואָס פון פֿון פאר פאַר פארן צו צום צווישן קיין קען קענען זי זיי זייער זיין זיינע זענען זייַנען זיך זאל זאָל מיר \
מיט מיך מען מער מוז נאך נאָך נאר נאָר נישט ניט ס עס ער עטלעכע ערשט שוין יענע יענער יעדע יעדער אלץ אַלץ אלע אַלע";

//! The words of which German questions are built.

pub(super) const TABLE: &str = "\
asking was wer wen wem wessen wo wohin woher wann warum weshalb wieso wie wieviel welche welchem welchen welcher welches womit wofür wofur wodurch woran woraus wovon wozu worin
being ist sind war waren bin
doing tut tun tat
opening kann können konnen könnte darf dürfen durfen muss müssen mussen soll sollte hat habe haben hatte wird werden würde gibt gilt
commanding vergleiche vergleich erkläre erklare erklär beschreibe nenne
relative der die das welche welcher welches wo wer was
joining und oder aber auch dann sowie außerdem ausserdem
coordinating und oder sowie noch
leaning er sie es ihn ihm ihr ihnen damit davon daraus dafür dafur
possessive sein seine seinem seinen seiner seines ihr ihre ihrem ihren ihrer ihres dessen deren
pointing das dies diese diesem diesen dieser dieses
distributing beide beiden beides jeweils jede jeder jedes
definite der die das den dem des
determining ein eine einem einen einer eines mein meine meinem meinen meiner unser unsere unserem unseren unserer
person ich wir du man er sie es ihr jemand
speaking ich mein meine wir unser unsere mir
of von des der
relating unterschied unterschiede unterschieden ähnlichkeit ahnlichkeit gemeinsamkeit gemeinsamkeiten vergleich beziehung zusammenhang verhältnis wahl
between zwischen
comparing vergleiche vergleich vergleichen
against mit gegen
versus vs versus gegenüber
differing unterscheidet unterscheiden verschieden anders
than von als sich
conditional wenn falls während weil wo bezüglich sobald
cue gleich gleiche gleichen unterschied beide beiden gemeinsam ähnlich versus vergleich
preposition in im auf mit ohne für fur aus über durch bei per als an am unter
framing erkläre erklare erklär beschreibe nenne zeige zeig vergleiche vergleich definiere liste sag
measuring lange viel viele oft groß gross weit alt bald schnell hoch tief schwer breit teuer
measured wieviel anteil prozentsatz preis kosten kostet grenze frist jahr datum zahl anzahl alter gebühr höhe größe
timing wann
numeral zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend halb zweimal
contrasting aber jedoch doch sondern stattdessen außer ausser allerdings obwohl sonst hingegen dennoch trotzdem gleichwohl jedoch
subordinate wenn falls während weil nachdem bevor obwohl seit bis sobald
placing in im am bei aus an auf als von nahe
negating nicht kein keine keinen keiner nie niemals ohne entfernt veraltet ersetzt abgeschafft eingestellt nur außer ausser lediglich
manner wie was
particle
order adjective-first capital-nouns";

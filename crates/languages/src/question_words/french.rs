//! The words of which French questions are built.

pub(super) const TABLE: &str = "\
asking que quoi qui quel quelle quels quelles où d'où quand comment pourquoi combien qu'est lequel laquelle lesquels lesquelles
being est sont était étaient suis n'est
doing fait font
opening peut peux puis puis-je peuvent doit dois doivent faut a ont ai y-a
commanding compare comparez explique expliquez décris décrivez decris
relative qui que où dont lequel laquelle quand
joining et ou mais aussi puis ainsi
coordinating et ou ni
leaning il elle ils elles lui eux celui-ci
possessive son sa ses leur leurs
pointing ce cela ça ceci cette ces cet celui celle
distributing chacun chacune chaque tous toutes deux
definite le la les l' du des
determining un une mon ma mes notre nos votre vos
person je on nous vous tu il elle ils elles ce j'ai
speaking je j'ai mon ma mes nous notre nos
of de du des d'
relating différence différences difference differences ressemblance rapport relation comparaison distinction choix
between entre
comparing compare comparez comparer distinguer
against avec à et
versus vs versus contre
differing diffère differe diffèrent different différent différents comparé
than de du à que
conditional quand si lorsque lorsqu'on parce où pendant concernant
cue même meme mêmes différence différences difference commun semblable deux versus
preposition dans sur sous avec sans pour par chez en depuis via à
framing explique expliquez décris décrivez decris définis liste donne montre compare comparez
measuring longtemps souvent grand loin vite
measured combien pourcentage part prix coût cout coûte limite délai delai année annee date nombre âge taille tarif
timing quand
numeral deux trois quatre cinq six sept huit neuf dix onze douze vingt trente cent mille demi
contrasting mais cependant toutefois sauf pourtant néanmoins sinon plutôt par-contre en-revanche
subordinate si quand lorsque pendant parce après apres avant quoique depuis
placing à dans en chez depuis sur comme près
negating ne n' pas jamais aucun aucune sans supprimé supprimée obsolète remplacé remplacée retiré retirée abandonné seulement uniquement sauf
manner comment que quoi
particle
order noun-first";

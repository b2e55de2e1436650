//! The words of which Spanish questions are built.

pub(super) const TABLE: &str = "\
asking qué quién quiénes cuál cuáles cómo cuándo dónde adónde cuánto cuánta cuántos cuántas quien quienes cual cuales cuanto cuanta cuantos cuantas
being es son era eran está están esta estan
doing hace hacen
opening puede puedo pueden podemos debe debo deben hay tiene tienen tengo hace ha he han
commanding compara compare explica explique describe
relative que quien cual cuales donde cuando cuya cuyo
joining y e o u pero también tambien además ademas
coordinating y e o u ni
leaning él ella ellos ellas lo le les
possessive su sus suyo suya
pointing eso esto ese esa esos esas estos estas
distributing ambos ambas cada
definite el la los las del al
determining un una unos unas mi mis nuestro nuestra nuestros nuestras tu tus
person yo tú nosotros él ella ellos ellas usted ustedes uno se me lo
speaking yo mi mis me nosotros nuestro nuestra
of de del
relating diferencia diferencias semejanza semejanzas relación relacion comparación comparacion distinción elección
between entre
comparing compara compare comparar distinguir
against con a y
versus vs versus contra frente
differing difiere difieren diferente diferentes distinto distintos comparado
than de del a que
conditional cuando si mientras porque donde sobre
cue mismo misma diferencia diferencias ambos ambas común versus parecido
preposition en con sin para por desde sobre a dentro
framing explica explique describe define enumera da muestra compara compare dime
measuring tiempo lejos grande
measured cuánto cuanto cuántos cuantos cuánta cuántas cuantas porcentaje precio coste costo cuesta límite limite plazo año fecha número edad tamaño tarifa
timing cuándo cuando
numeral dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil medio
contrasting pero sino excepto salvo aunque sin-embargo no-obstante en-cambio
subordinate si cuando mientras porque después despues antes aunque desde hasta
placing en desde como cerca
negating no nunca jamás jamas ningún ninguna ninguno sin eliminado eliminada obsoleto obsoleta sustituido sustituida retirado solo sólo solamente excepto
manner cómo como qué
particle
order noun-first";

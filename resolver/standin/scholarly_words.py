"""The words of which the titles, people and journals of the sample works are made."""

QUALITIES = tuple(
    "alpine ancient arctic arid baroque boreal brittle civic coastal colonial communal cooperative deciduous "
    "dense digital dormant early elastic endemic estuarine fertile feudal floating fluvial fossil fragile frozen "
    "granular hidden humid imperial industrial informal inland invasive itinerant juvenile lateral liturgical "
    "lunar magnetic marginal maritime medieval mobile modern molten monastic montane municipal narrow nocturnal "
    "nomadic oceanic oral pastoral periodic polar porous posthumous premodern provincial quiet radial rapid rural "
    "saline seasonal sedentary shallow silent slow solar spectral steep submerged subtropical tacit temperate "
    "tidal turbulent urban vernacular viscous volcanic wandering".split()
)
SUBJECTS = tuple(
    "aquifers archives artisans badgers ballads basalts beetles bishops bridges bumblebees calendars canals "
    "caravans catalogues cathedrals cemeteries choirs clays codices colloids comets corals courts cranes crystals "
    "deltas dialects diaries dragonflies dunes earthworms eels embankments enzymes fables ferns festivals "
    "fisheries floodplains forests fungi gardens geysers glaciers grasslands guilds harbours hedgehogs herbaria "
    "households hymns inscriptions islands kites lagoons lexicons librarians lichens magistrates manuscripts "
    "markets meadows membranes merchants microbes midwives minerals monasteries mosses moths murals notaries "
    "nurseries orchards orchids otters owls parchments peatlands pilgrims pollinators printers proverbs puppets "
    "reefs rivers salamanders schools sediments seedlings sermons shipyards sparrows springs starlings taverns "
    "theatres tides tombs translators treaties turtles vineyards weavers wetlands woodlands workshops".split()
)
PROCESSES = tuple(
    "abandonment accretion acidification adaptation ageing arbitration attribution bargaining binding bleaching "
    "calibration censorship classification codification colonisation compaction condensation consolidation "
    "conversion corrosion cultivation decay deforestation demarcation diffusion digitisation dispersal "
    "displacement dissolution drainage drought enclosure erosion eviction excavation fermentation flooding "
    "foraging fragmentation freezing germination grafting grazing hibernation hybridisation imitation inheritance "
    "irrigation isolation lending lithification memory metamorphism migration mimicry mutation navigation nesting "
    "ossification oxidation patronage pilgrimage pollination preservation printing propagation recital "
    "reconciliation reform regeneration repair resettlement restoration ritual sedimentation selection settlement "
    "silting spawning speciation stratification succession surveying taxation thawing translation transmission "
    "urbanisation ventilation weathering".split()
)
PLACES = (
    "Alsace", "Anatolia", "Andalusia", "Antarctica", "Apulia", "Bavaria", "Bohemia", "Brittany", "Burgundy",
    "Catalonia", "Corsica", "Crete", "Dalmatia", "East Frisia", "Flanders", "Galicia", "Iceland", "Jutland",
    "Karelia", "Lapland", "Liguria", "Livonia", "Lower Saxony", "Madagascar", "Moravia", "New Zealand", "Normandy",
    "Patagonia", "Pomerania", "Punjab", "Saxony", "Scania", "Sicily", "Silesia", "Svalbard", "Tasmania",
    "Thuringia", "Tyrol", "Upper Austria", "Wales",
)  # fmt: skip
STUDIES = (
    "a comparison", "a field study", "a long view", "a reappraisal", "a survey", "evidence", "first results",
    "lessons", "new findings", "notes", "three cases", "two centuries observed",
)  # fmt: skip
FAMILIES = (
    "Abe", "Andersson", "Bauer", "Bianchi", "Blanc", "Castro", "Cohen", "Dąbrowski", "de Vries", "Diallo", "Dupont",
    "Eriksen", "Fischer", "Fontaine", "García", "Goldberg", "Haddad", "Hansen", "Horváth", "Ivanova", "Jónsdóttir",
    "Kaya", "Keller", "Kowalska", "Laurent", "Lindqvist", "Lopes", "MacLeod", "Martins", "Moreau", "Mustermann",
    "Müller", "Nakamura", "Novák", "O'Brien", "Okafor", "Papadopoulos", "Peeters", "Petrov", "Quispe", "Rossi",
    "Sample", "Santos", "Schneider", "Silva", "Sørensen", "Strix", "Suzuki", "Tanaka", "Thomsen", "Ueda",
    "van der Berg", "Varga", "Virtanen", "Weber", "Williams", "Yamada", "Yılmaz", "Zhang", "Zimmermann",
)  # fmt: skip
GIVEN_NAMES = (
    "Ada", "Aiko", "Amadou", "Anna", "Björn", "Carla", "Chiara", "Daniel", "Elif", "Émile", "Eva", "Fatima",
    "George", "Grace", "Hanna", "Hugo", "Ines", "Ivan", "Jana", "Jean-Luc", "Julia", "Karl", "Kenji", "Laura",
    "Lars", "Maria", "Mehmet", "Nora", "Olga", "Paul", "Petra", "Rosa", "Samuel", "Sofia", "Thomas", "Ulla",
    "Viktor", "Wei", "Yusuf", "Zoë",
)  # fmt: skip
JOURNALS = ("Annals of {}", "Archives of {}", "{} Quarterly", "Journal of {}", "Review of {}", "Studies in {}")
FIELDS = (
    "Agrarian History", "Aquatic Ecology", "Book History", "Building Archaeology", "Coastal Engineering",
    "Comparative Law", "Crystal Growth", "Cultural Geography", "Entomology", "Epigraphy", "Folk Narrative",
    "Forest Science", "Glaciology", "Historical Linguistics", "Hydrology", "Library History", "Limnology",
    "Maritime Archaeology", "Mineral Chemistry", "Musicology", "Mycology", "Ornithology", "Palaeography",
    "Quaternary Research", "Religious Studies", "Rural Sociology", "Sediment Transport", "Soil Mechanics",
    "Theatre Research", "Urban Economics",
)  # fmt: skip

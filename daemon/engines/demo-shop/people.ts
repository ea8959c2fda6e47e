/** Names and places the demo shop's customers are drawn from: several scripts, so that text is tested as text. */

interface Region {
  readonly language: string;
  readonly country: string;
  /** Used in e-mail addresses, which stay ASCII. */
  readonly latin: string;
  readonly given: readonly [string, ...string[]];
  readonly family: readonly [string, ...string[]];
  readonly cities: readonly [string, ...string[]];
  readonly streets: readonly [string, ...string[]];
  readonly familyFirst?: true;
}

const words = (text: string): [string, ...string[]] => {
  const [first = '', ...rest] = text.split(', ');
  return [first, ...rest];
};

const region = (
  [language, country, latin]: readonly [string, string, string],
  given: string,
  family: string,
  cities: string,
  streets: string,
): Region => ({
  language,
  country,
  latin,
  given: words(given),
  family: words(family),
  cities: words(cities),
  streets: words(streets),
});

export const regions: readonly [Region, ...Region[]] = [
  region(
    ['en', 'GB', 'anglia'],
    'Ada, Grace, Alan, Siobhán, Rhys, Zoe',
    "O'Neill, Lovelace, Hopper, Turing, Smith, Nguyễn",
    'London, Leeds, Bath',
    'High Street, Mill Lane, King’s Road',
  ),
  region(
    ['de', 'DE', 'germania'],
    'Jürgen, Anke, Käthe, Max, Zoë, Björn',
    'Müller, Groß, Weiß, Schäfer, Köhler',
    'Köln, München, Lübeck',
    'Hauptstraße, Gänseweg, Am Schloß',
  ),
  region(
    ['fr', 'FR', 'gallia'],
    'Éloïse, François, Chloé, Noël, Anaïs',
    "Lefèvre, d'Artagnan, Bélanger, Cœur",
    'Orléans, Nîmes, Besançon',
    'rue de l’Église, allée des Chênes',
  ),
  region(
    ['pl', 'PL', 'polonia'],
    'Łukasz, Małgorzata, Żaneta, Jędrzej',
    'Wójcik, Dąbrowski, Źrebiec',
    'Łódź, Gdańsk, Kraków',
    'ulica Świętojańska, aleja Róż',
  ),
  region(
    ['is', 'IS', 'islandia'],
    'Þórdís, Sigurður, Ægir',
    'Jónsdóttir, Ægisson, Ólafsson',
    'Reykjavík, Ísafjörður',
    'Laugavegur, Skólavörðustígur',
  ),
  region(
    ['uk', 'UA', 'ukraina'],
    'Олена, Тарас, Їжакевич, Ґанна',
    'Шевченко, Коваленко, Єрмоленко',
    'Київ, Львів, Одеса',
    'вулиця Хрещатик, площа Ринок',
  ),
  region(
    ['el', 'GR', 'hellas'],
    'Ελένη, Γιώργος, Ωριάνθη',
    'Παπαδόπουλος, Νικολαΐδου',
    'Αθήνα, Θεσσαλονίκη',
    'οδός Ερμού, λεωφόρος Νίκης',
  ),
  region(
    ['ar', 'EG', 'misr'],
    'فاطمة, يوسف, ليلى',
    'المصري, حسن, عبد الله',
    'القاهرة, الإسكندرية',
    'شارع التحرير, شارع النيل',
  ),
  region(['he', 'IL', 'israel'], 'נועה, דוד, שירה', 'כהן, לוי, בן־דוד', 'תל אביב, חיפה', 'רחוב הרצל, שדרות רוטשילד'),
  region(['hi', 'IN', 'bharat'], 'प्रिया, अर्जुन, स्नेहा', 'शर्मा, पटेल, सिंह', 'दिल्ली, पुणे', 'महात्मा गांधी मार्ग, मॉल रोड'),
  region(['th', 'TH', 'thai'], 'สมชาย, สุดารัตน์', 'ใจดี, ศรีสุข', 'กรุงเทพมหานคร, เชียงใหม่', 'ถนนสุขุมวิท, ถนนท่าแพ'),
  {
    ...region(['zh', 'CN', 'zhongguo'], '伟, 秀英, 子涵', '王, 李, 欧阳', '北京, 上海, 成都', '人民路, 解放大街'),
    familyFirst: true,
  },
  {
    ...region(['ja', 'JP', 'nihon'], 'さくら, 健太, 陽葵', '佐藤, 鈴木, 髙橋', '東京, 京都, 札幌', '中央通り, 桜ヶ丘'),
    familyFirst: true,
  },
  {
    ...region(['ko', 'KR', 'hanguk'], '서연, 민준, 지우', '김, 이, 박', '서울, 부산', '세종대로, 해운대로'),
    familyFirst: true,
  },
];

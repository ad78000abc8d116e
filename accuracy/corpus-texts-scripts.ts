import type { CorpusText } from './corpus-texts.ts';

/** A page in another script than the Latin one. */
export interface ScriptText extends CorpusText {
  /** ISO code; a part of the document's name. */
  readonly language: string;
}

/** One page in each of eight scripts: of four of them data comes with the service. Written for this project. */
export const SCRIPT_TEXTS: readonly ScriptText[] = [
  {
    name: 'arabic.ar',
    language: 'ar',
    set: 'hard',
    title: 'إعلان إلى السكان',
    paragraphs: [
      'تفتح المكتبة أبوابها يوم الأحد من الساعة التاسعة صباحا حتى الرابعة مساء. يرجى إعادة الكتب قبل نهاية الشهر.',
      'الدخول مجاني للأطفال والطلاب.',
    ],
  },
  {
    name: 'chinese.zh',
    language: 'zh',
    set: 'hard',
    title: '图书馆通知',
    paragraphs: [
      '从下个月开始，阅览室每天早上九点开门，晚上八点关门。请在月底以前归还借阅的图书。',
      '学生和老人免费入场。',
    ],
  },
  {
    name: 'japanese.ja',
    language: 'ja',
    set: 'hard',
    title: '図書館からのお知らせ',
    paragraphs: [
      '来月から閲覧室は毎朝九時に開き、夜八時に閉まります。借りた本は月末までに返してください。',
      'コピーは一枚十円です。',
    ],
  },
  {
    name: 'korean.ko',
    language: 'ko',
    set: 'hard',
    title: '도서관 안내',
    paragraphs: [
      '다음 달부터 열람실은 매일 아침 아홉 시에 문을 열고 저녁 여덟 시에 닫습니다. 빌린 책은 월말까지 돌려주십시오.',
      '학생은 무료입니다.',
    ],
  },
  {
    name: 'cyrillic.ru',
    language: 'ru',
    set: 'hard',
    title: 'Объявление библиотеки',
    paragraphs: [
      'С первого числа читальный зал открыт каждый день с девяти утра до восьми вечера. Просим вернуть книги до конца месяца.',
      'Вход для школьников бесплатный.',
    ],
  },
  {
    name: 'greek.el',
    language: 'el',
    set: 'hard',
    title: 'Ανακοίνωση της βιβλιοθήκης',
    paragraphs: [
      'Από τον επόμενο μήνα το αναγνωστήριο ανοίγει κάθε πρωί στις εννέα και κλείνει στις οκτώ το βράδυ. Παρακαλούμε να επιστρέψετε τα βιβλία.',
      'Η είσοδος είναι δωρεάν για μαθητές.',
    ],
  },
  {
    name: 'devanagari.hi',
    language: 'hi',
    set: 'hard',
    title: 'पुस्तकालय की सूचना',
    paragraphs: [
      'अगले महीने से वाचनालय रोज़ सुबह नौ बजे खुलेगा और शाम आठ बजे बंद होगा। कृपया किताबें महीने के अंत तक लौटा दें।',
      'छात्रों के लिए प्रवेश निःशुल्क है।',
    ],
  },
  {
    name: 'armenian.hy',
    language: 'hy',
    set: 'hard',
    title: 'Գրադարանի հայտարարություն',
    paragraphs: [
      'Հաջորդ ամսից ընթերցասրահը բաց է ամեն օր առավոտյան ժամը իննից մինչև երեկոյան ութը։ Խնդրում ենք գրքերը վերադարձնել մինչև ամսվա վերջը։',
      'Աշակերտների մուտքն անվճար է։',
    ],
  },
];

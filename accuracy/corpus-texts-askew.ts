import type { CorpusText } from './corpus-texts.ts';

const COLUMNS = [
  [
    'The weather station on the ridge was built in nine weeks. Its mast carries a wind gauge, two thermometers and a rain collector with a heated rim.',
    'Readings are sent every ten minutes. In the first winter ice broke the cable three times.',
  ],
  [
    'A second mast now stands behind the hut, where the slope keeps most of the snow away.',
    'Visitors may see the readings of the day on a board beside the door. The record gust so far is 148 kilometres an hour.',
  ],
];

/** Pages that lie askew, were photographed, or are printed in a way that recognisers find hard. Written for this project. */
export const ASKEW_TEXTS: readonly CorpusText[] = [
  { name: 'skew-1', set: 'hard', title: 'Station on the ridge', columns: COLUMNS },
  {
    name: 'skew-2',
    set: 'hard',
    title: 'Rules of the reading room',
    paragraphs: [
      'Coats and bags are left in the lockers. A pencil is allowed, a pen is not. Maps are unrolled by the staff only, and no more than four volumes lie on a table at once.',
      'Copies cost 0.20 a sheet. Orders that arrive before eleven are fetched at noon, all others at three.',
    ],
  },
  {
    name: 'skew-5',
    set: 'hard',
    title: 'Ferry timetable in winter',
    paragraphs: [
      'From November to March boats leave the north pier at 7.15, 9.40, 13.05 and 17.30. The crossing takes thirty-five minutes in calm water.',
      'Bicycles travel free of charge. Cars must be at the ramp ten minutes before departure.',
    ],
  },
  {
    name: 'three-columns',
    set: 'hard',
    title: 'Notes from the valley',
    columns: [
      ['The bakery opens at five again. Bread is sold out by nine on most days.'],
      ['The bridge at the mill carries nine tonnes since it was repaired in May.'],
      ['The choir sings in the barn on Sunday. Chairs are to be brought along.'],
    ],
  },
  {
    name: 'perspective',
    set: 'hard',
    title: 'Bicycle repair',
    paragraphs: [
      'Turn the frame over and open the clamp. Pull the tyre from the rim with two levers, find the hole in a bowl of water and mark it with chalk.',
      'Roughen the rubber, spread the glue thinly and wait five minutes before the patch is pressed on.',
    ],
  },
  {
    name: 'screen',
    set: 'hard',
    title: 'Print queue',
    paragraphs: [
      'Job 3107 is waiting for paper in tray 2. Job 3108 was cancelled by its owner. Job 3109 has 14 pages left.',
      'Toner is at 23 percent. The next service is due after 4,500 pages.',
    ],
  },
  {
    name: 'receipt',
    set: 'hard',
    paragraphs: [
      'CORNER SHOP 17 HILL ROAD',
      'Oat milk 1L 2 x 1.95 3.90',
      'Rye bread 750 g 3.40',
      'Tomatoes 0.480 kg 1.68',
      'Matches 0.55',
      'TOTAL 9.53 CASH 10.00 CHANGE 0.47',
      '14.11.2026 18:42 Till 3',
    ],
  },
  {
    name: 'handwriting',
    set: 'hard',
    paragraphs: [
      'Dear Clara, the parcel came on Tuesday and nothing in it was broken.',
      'We put the blue cups on the shelf above the stove. Come and see them soon.',
    ],
  },
  {
    name: 'transparent',
    set: 'hard',
    title: 'Opening hours',
    paragraphs: [
      'Monday to Thursday from ten to six, Friday from ten to eight. Closed on the first weekend of each month.',
    ],
  },
  {
    name: 'low-resolution',
    set: 'hard',
    title: 'Well report',
    paragraphs: [
      'The water stood 6.2 metres below the rim in April and 7.9 metres in September. Iron is below the limit in all samples, and the pump was replaced in June.',
    ],
  },
];

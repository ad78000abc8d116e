/** A paragraph or a heading; `columns` and `table` say how a document lays its parts out. */
export interface CorpusText {
  readonly name: string;
  readonly set: 'easy' | 'hard';
  readonly title?: string;
  /** Paragraphs, in reading order. */
  readonly paragraphs?: readonly string[];
  /** Paragraphs of each column, in reading order. */
  readonly columns?: readonly (readonly string[])[];
  /** Rows of cells. */
  readonly table?: readonly (readonly string[])[];
}

/** What the documents of the corpus say. All of it was written for this project. */
export const CORPUS_TEXTS: readonly CorpusText[] = [
  {
    name: 'letter',
    set: 'easy',
    title: 'Harbour Street Library',
    paragraphs: [
      'Dear Mrs Okafor,',
      'Thank you for returning the atlas that you borrowed in March. Our records show that nothing else is due under your name, and the deposit of 15.00 will be paid back to your account within five working days.',
      'The reading room stays closed on Monday because the floor is being polished. From Tuesday on we open at nine o’clock again.',
      'With kind regards, Jonas Velde',
    ],
  },
  {
    name: 'invoice',
    set: 'easy',
    title: 'Invoice 20417',
    paragraphs: [
      'Date: 14 August 2026. Customer: Brightwater Nursery, 8 Mill Lane.',
      'Forty bags of potting soil at 6.25 each, 250.00. Delivery to the yard gate, 18.50. Rent of a hand truck for two days, 12.00.',
      'Amount due: 280.50. Please pay within thirty days and quote the number of this invoice.',
    ],
  },
  {
    name: 'recipe',
    set: 'easy',
    title: 'Lentil Soup with Lemon',
    paragraphs: [
      'Rinse 300 grams of red lentils until the water runs clear. Chop two onions and three carrots, and soften them in oil over a low flame for ten minutes.',
      'Add the lentils, a spoon of cumin and a litre and a half of stock. Simmer for twenty minutes, stir often, and finish the pot with the juice of one lemon.',
      'Serves four. It tastes better on the second day.',
    ],
  },
  {
    name: 'notice',
    set: 'easy',
    title: 'Water will be turned off',
    paragraphs: [
      'On Thursday between 8 in the morning and 1 in the afternoon the pipes of the north wing are replaced. There will be no water above the third floor.',
      'Please fill a bucket before you go to bed on Wednesday. The lift keeps running. Questions go to the porter, room 004, telephone 5512.',
    ],
  },
  {
    name: 'minutes',
    set: 'easy',
    title: 'Minutes of the garden club',
    paragraphs: [
      'Present were eleven members. The treasurer reported a balance of 1,932 and read the list of gifts, which was approved without a vote.',
      'The club will plant seventeen plum trees along the railway path in November. Tools are kept in the blue shed. Whoever takes the key writes the name into the book.',
      'The meeting ended at half past nine. The next one is on the second Friday of October.',
    ],
  },
  {
    name: 'travel',
    set: 'easy',
    paragraphs: [
      'The ferry leaves from the eastern pier and needs a little less than two hours. Stand on the left side of the deck if you want to see the seals: they rest on the flat rocks below the old signal station.',
      'On the island there is one road, one inn and a great number of sheep. The last boat back is at 18:40, and it does not wait.',
    ],
  },
  {
    name: 'manual',
    set: 'easy',
    title: 'Before the first use',
    paragraphs: [
      'Remove all tape from the drawer and wash the glass plate with warm water. Place the machine on a level surface, at least 10 cm away from the wall.',
      'Press the round button until the green lamp blinks twice. If the lamp stays red, pull the plug, wait for one minute and begin again.',
      'Never open the lid while the wheel is turning.',
    ],
  },
  {
    name: 'story',
    set: 'easy',
    paragraphs: [
      'When the clock maker died, nobody in the village knew how to stop his clocks. They struck at every hour of the day, each of them a little later than the one before, so that it was never quite silent.',
      'In the third winter a child climbed through the kitchen window with a candle and a piece of wire. She came out after midnight, and for the first time one could hear the snow.',
    ],
  },
  {
    name: 'certificate',
    set: 'easy',
    title: 'Certificate of Attendance',
    paragraphs: [
      'This is to confirm that Marit Solheim took part in the course Safe Work on Ladders and Scaffolds from 2 to 6 June 2025 and passed the test with 47 of 50 points.',
      'The certificate is valid for three years.',
      'Registered under number KL-8830-25.',
    ],
  },
  {
    name: 'listing',
    set: 'easy',
    paragraphs: [
      'open the valve by a quarter turn',
      'read the gauge and write down the value',
      'wait until the needle rests below 40',
      'close the valve and seal it with wire',
      'sign the card, name the date and the hour',
    ],
  },
  {
    name: 'noise',
    set: 'hard',
    title: 'Field report, station 12',
    paragraphs: [
      'The wind turned to the north shortly after noon and brought fine dust from the quarry. We counted 86 cranes, most of them young birds, and two herons on the far bank.',
      'The water level fell by another 4 cm. Sample bottles 31 to 36 are marked with yellow thread and must be kept cold.',
    ],
  },
  {
    name: 'skew',
    set: 'hard',
    title: 'Rental agreement',
    paragraphs: [
      'The tenant may use the cellar and the drying room, but not the attic. Bicycles belong in the courtyard. The rent is due on the third working day of each month.',
      'Small repairs up to 90.00 are paid by the tenant, in one year not more than 6 percent of the rent. Notice must be given in writing, three months in advance.',
    ],
  },
  {
    name: 'small-print',
    set: 'hard',
    title: 'Conditions of carriage',
    paragraphs: [
      'Luggage is carried free of charge as far as one person can lift it. Skis, prams and folded bicycles count as luggage; boats, beehives and pianos do not. The driver decides where a piece is stowed, and is not liable for glass that was not declared.',
      'A ticket is valid on the day that is printed on it and until four in the morning of the next one. Lost tickets are not replaced. Whoever travels without a valid ticket pays the fare of the whole line and a fee of 60.00, of which 40.00 are returned when a season ticket is shown within one week.',
      'Dogs travel at half the fare and on a short lead. Guide dogs travel free. Complaints are answered within twenty days, by letter only.',
    ],
  },
  {
    name: 'two-columns',
    set: 'hard',
    title: 'The Tidewater Gazette',
    columns: [
      [
        'Bridge to open in May',
        'The new bridge across the Lower Sound will be ready six weeks earlier than planned. The mayor said that mild weather had helped, and that nobody should expect this to become a habit.',
        'Cars pay nothing in the first year.',
      ],
      [
        'A whale in the harbour',
        'A young whale lost its way on Sunday and spent the night between the fishing boats. Divers led it out with the morning tide. The harbour master has asked visitors to leave the barriers where they are.',
        'No boat was damaged.',
      ],
    ],
  },
  {
    name: 'table',
    set: 'hard',
    title: 'Stock list, hall B',
    table: [
      ['Article', 'Shelf', 'Pieces', 'Price'],
      ['Hex bolt M8', 'B-04', '1250', '0.18'],
      ['Wood screw 4 x 40', 'B-07', '8400', '0.05'],
      ['Door hinge, brass', 'C-11', '96', '7.90'],
      ['Padlock 50 mm', 'C-12', '41', '14.35'],
      ['Rope, hemp, 20 m', 'D-02', '17', '23.00'],
      ['Lamp oil, 1 litre', 'E-09', '63', '5.60'],
      ['Work gloves, pair', 'A-01', '310', '3.25'],
    ],
  },
  {
    name: 'low-contrast',
    set: 'hard',
    title: 'Copy of a faded page',
    paragraphs: [
      'The house was built in 1873 by two brothers who did not speak with each other. That is why it has two staircases, two kitchens and a wall in the middle that serves no other purpose.',
      'Later owners broke a door into the wall, but it sticks in damp weather, and old people in the street still call it the argument.',
    ],
  },
  {
    name: 'jpeg',
    set: 'hard',
    title: 'Timetable changes',
    paragraphs: [
      'Line 7 no longer stops at the brewery. Use the stop at Copper Square, which is served every 12 minutes until 20:15 and every half hour after that.',
      'Line 22 is replaced by buses between Oak Park and the airport from 9 to 23 February. The journey takes about 35 minutes longer.',
    ],
  },
  {
    name: 'blur',
    set: 'hard',
    title: 'Care of wooden floors',
    paragraphs: [
      'Sweep the boards in the direction of the grain. Wipe them once a week with a cloth that is damp, never wet, and change the water when it turns grey.',
      'Scratches disappear with a walnut: rub the kernel over the mark, wait for a quarter of an hour and polish with wool.',
    ],
  },
  {
    name: 'salt-and-pepper',
    set: 'hard',
    title: 'Telegram office, copy',
    paragraphs: [
      'Cargo arrived complete except for three crates of lamps which were left behind at the customs house. Please send papers with the next mail coach.',
      'Weather fair, roads dry, horses well. We expect to reach the pass before the end of the week.',
    ],
  },
  {
    name: 'mixed-sizes',
    set: 'hard',
    title: 'SALE',
    paragraphs: [
      'Everything must go by Saturday evening!',
      'Garden chairs from 19.90, parasols from 34.50, and all seeds at half price while stocks last.',
      'Goods that were reduced cannot be returned. Prices include tax. Offer not valid together with vouchers or the card for loyal customers.',
    ],
  },
  {
    name: 'numbers',
    set: 'hard',
    title: 'Readings (kWh) & checks',
    paragraphs: [
      '2026-01-31: 18,204.7; 2026-02-28: 18,551.2; 2026-03-31: 18,869.0 (estimated).',
      'Ratio 3:1, tolerance +/-0.25 %, offset -17.5; see [4], p. 108/109.',
      'Ref. no. 77/B-2041-X; tel. +44 20 5550 0199; mail: meters@example.org',
      'Is the seal "OK"? Yes! Broken? No. Replaced: 06/2025 @ 41.30 each = 123.90.',
    ],
  },
  {
    name: 'white-on-dark',
    set: 'hard',
    title: 'Night programme',
    paragraphs: [
      'At eleven the observatory opens its small dome. Visitors see Saturn, two star clusters and, if the sky stays clear, the faint ring that was a sun a few thousand years ago.',
      'Warm clothes are useful. Torches must be covered with red paper, which you get at the desk.',
    ],
  },
  {
    name: 'italic-scan',
    set: 'hard',
    paragraphs: [
      'My dear Theodora, the parcel with the quinces came through the storm without a bruise, and the whole house smells of them. Father has put one into every drawer.',
      'I shall come on the 19th if the river allows it. Do not wait with supper; keep a candle in the window of the lower hall instead. Ever yours, Philippa',
    ],
  },
  {
    name: 'shadow',
    set: 'hard',
    title: 'Photographed notice',
    paragraphs: [
      'The swimming hall is reserved for the school championships on Friday and Saturday. Members reach the sauna through the side entrance.',
      'Lockers must be emptied by Thursday evening, 21:00. What is found after that is kept for two weeks behind the desk and then given away.',
    ],
  },
];

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, plainTextInTurns } from './plain-text.ts';

describe('the eight conversion rules', () => {
  const cases: [rule: number, markdown: string, plain: string][] = [
    [1, '| a | b |\n|---|---|\n| one<br>two | 3<BR/>4 |', 'a\tb\none two\t3 4'],
    [1, '| a<br>b | c |', '| a<br>b | c |'],
    [1, '| a | b |\n| 1 | 2 |', '| a | b |\n| 1 | 2 |'],
    [2, '# C#', 'C#'],
    [2, '## C# and F# ##', 'C# and F#'],
    [2, '###### #hashtag', '#hashtag'],
    [3, 'one\n\n---\n\ntwo', 'one\n\n---\n\ntwo'],
    [3, 'one\n***\ntwo\n___\nthree\n- - -\nfour\n* * *\nfive\n_ _ _\nsix', 'one\ntwo\nthree\nfour\nfive\nsix'],
    [3, 'one\rtwo\r***\rthree', 'one\rtwo\rthree'],
    [3, 'one\n\n***', 'one\n'],
    [4, '5 * 3 and 2*3*4', '5 * 3 and 2*3*4'],
    [4, '_x_ and __init__ and snake_case_name', '_x_ and __init__ and snake_case_name'],
    [5, '![alt](x.png) hi', ' hi'],
    [5, 'a ![](b_(c).png "title") d', 'a  d'],
    [5, 'a\n<div style="text-align: center;"><img src="imgs/1.jpg" alt="Image" /></div>\nb', 'a\n\nb'],
    [5, '`<div><img src="a.png"></div>`', '<div><img src="a.png"></div>'],
    [6, '\\*lit\\* \\_ \\| \\# \\`code\\`', '*lit* _ | # `code`'],
    [6, '\\# no heading', '# no heading'],
    [6, '\\[x\\] \\( 1\\. C:\\temp', '\\[x\\] \\( 1\\. C:\\temp'],
    [7, 'see [text](https://example.com/a_b_*c*)', 'see [text](https://example.com/a_b_*c*)'],
    [7, 'https://example.com/snake_case/~user', 'https://example.com/snake_case/~user'],
    [8, 'a\n\n\n\n1) item\n- item\n* item\n+ item', 'a\n\n\n\n1) item\n- item\n* item\n+ item'],
  ];
  it.each(cases)('rule %i: %j becomes %j', (_rule, markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});

describe('ordinary markdown', () => {
  const cases: [string, string][] = [
    ['# Title\n\nText', 'Title\n\nText'],
    ['### Closed ###  ', 'Closed'],
    ['**bold**, *it*, ***both*** and ~~struck~~', 'bold, it, both and struck'],
    ['**Total:** $5.00', 'Total: $5.00'],
    ['**T**he drop cap, mid**dle**', 'The drop cap, middle'],
    ['*a **b** c* **d *e* f** ***g** h*', 'a b c d e f g h'],
    ['これは**「重点」**です。', 'これは「重点」です。'],
    ['- **item** one\n* *item* two', '- item one\n* item two'],
    ['`x = *y*` and ``a ` b`` and `` ` ``', 'x = *y* and a ` b and `'],
    ['```python\n# comment **kept**\n> kept\n```\n**x**', '# comment **kept**\n> kept\nx'],
    ['~~~\n| a |\n|---|\n~~~', '| a |\n|---|'],
    ['> quoted **text**\n>\n> > deeper\n>tight', 'quoted text\n\ndeeper\n>tight'],
    ['> # Title\n> | a | b |\n> |---|---|\n> | 1 | 2 |', 'Title\na\tb\n1\t2'],
    ['a | b\n:--|--:\n1 | **2**\n\nafter', 'a\tb\n1\t2\n\nafter'],
    ['| a | b |\n|---|---|\n| x \\| y | |\ntext', 'a\tb\nx | y\t\ntext'],
    ['|  |  |\n|--|--|\n| a | b |', 'a\tb'],
    ['[**bold**](https://example.com/)', '[bold](https://example.com/)'],
    ['[![badge](b.png)](https://example.com/)', '[](https://example.com/)'],
    ['![a \\_ b](x\\_y.png)!', '!'],
    ['**https://example.com/a**', 'https://example.com/a'],
  ];
  it.each(cases)('%j becomes %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });

  it('keeps the line ends of the text, \\r\\n among them', () => {
    expect(plainText('# a\r\n***\r\n**b**\r\n```\r\nc\r\n```')).toBe('a\r\nb\r\nc');
    expect(plainText('| a |\r\n|---|\r\n| 1 |\r\n')).toBe('a\r\n1\r\n');
  });

  it('leaves a fence that is never closed as text, so that later pages are still converted', () => {
    expect(plainText('```\n**a**\n\n---\n\n# b')).toBe('```\na\n\n---\n\nb');
  });
});

describe('plain text', () => {
  const lines = [
    'x**2 + y**2 and 2**3**4 and f(*args, **kwargs)',
    '(a)*(b)*(c) and π*r*r and a / b is not /*c*/',
    '*.pdf, src/**/*.ts and "*" or (*)',
    'Card **** **** **** 1234, pin ******',
    '***************',
    '______________',
    '==========',
    '-----',
    '- - - - -',
    '~~~~~~~~~~',
    'Price* and tax* of 5* hotels',
    '# ',
    '#',
    '#1 of 3',
    '####### seven',
    '>5 and >tight',
    '    # indented',
    'it`s the 90s',
    'a < b > c <br> <b>',
    '1. one  ',
    '\tTabbed\t5 %',
    'snake_case __init__ _x_',
    '\\(x\\) \\\\server\\share',
    'Hello! [1] and [x](y) [z]: w',
    '| a | b |',
    'a | - | :-:',
    '---',
    '…………… 12',
    '日本語＊テスト＊です',
    '👩‍🔬 ünï 𝒳*𝒴*𝒵',
    '',
    ' ',
  ];
  it.each(lines)('%j comes back as it is', (line) => {
    expect(plainText(line)).toBe(line);
  });

  it('comes back byte-identical, whatever its line ends, blank lines and trailing spaces', () => {
    // Two pipe lines, or two tilde lines, may make a table, or a fence; each is a line of its own above.
    const safe = lines.filter((line) => !/^~~~|\|/.test(line));
    const ending = fc.constantFrom('\n', '\r\n', '\n\n\n', ' \n', '\r');
    const text = fc.array(fc.tuple(fc.constantFrom(...safe), ending)).map((parts) => parts.flat().join(''));
    fc.assert(fc.property(text, fc.constantFrom(...safe), (start, end) => plainText(start + end) === start + end));
  });

  it('comes back byte-identical when it holds no character that markdown uses', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.replace(/[*_`~\\!<>#|-]/g, ' '));
    fc.assert(fc.property(text, (value) => plainText(value) === value));
  });
});

describe('any text', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      '**',
      '*',
      '***',
      '~~',
      '`',
      '``',
      '```',
      '\n',
      '\r\n',
      '# ',
      '> ',
      '|',
      '|---|',
      '![',
      '](',
      ')',
      '\\',
    ),
    fc.constantFrom('[', ']', '<br>', '<img src=x>', ' ', '- ', '---', '***', 'https://', '_', 'word', '2', '👍', '語'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const markdown = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''));

  it('never throws and never adds a line', () => {
    fc.assert(
      fc.property(markdown, (text) => plainText(text).split('\n').length <= text.split('\n').length),
      { numRuns: 2000 },
    );
  });

  it('is converted once and for all', () => {
    const block = fc.constantFrom(
      '# Title',
      '## C# ##',
      '**bold** and *it* of 2*3*4',
      '~~struck~~ ***both***',
      '![alt](x.png) hi',
      '[text](https://example.com/a_b)',
      '- **item**',
      '> quoted *text*',
      '***',
      '---',
      '| a | b |\n|---|---|\n| 1<br>2 | **x** |',
      'plain_text with_underscores',
    );
    const document = fc
      .array(fc.tuple(block, fc.constantFrom('\n\n', '\r\n\r\n')))
      .map((parts) => parts.flat().join(''));
    fc.assert(fc.property(document, (text) => plainText(plainText(text)) === plainText(text)));
  });

  const endsOn = (unit: string, length: number) => {
    const hostile = unit.repeat(length / unit.length);
    expect(plainText(hostile).length).toBeLessThanOrEqual(hostile.length);
  };
  const worst = '*,[,`,**a,![](,> ,|-|\n'.split(',');
  const bad =
    '* ,*a*,a**b,![,` ``,``` ,~~,~~a,<,|,| a ,\\,\\*,>,# ,#, ,- ,](,https://,```\n,~~~~\n,```a\n,|\n,> >\n,***\n'.split(
      ',',
    );
  it.each(worst)('ends on a megabyte of %j', (unit) => endsOn(unit, 2 ** 20));
  it.each(bad)('ends on a quarter of a megabyte of %j', (unit) => endsOn(unit, 2 ** 18));
  it.each([
    ...['*\n', 'A *line*.\n', '|\n', '> a\n', '```\n', '~~~\nx\n~~~\n'].map((unit) =>
      unit.repeat(300_000 / unit.length),
    ),
    `| a | b |\n|---|---|\n${'| *1* | 2 |\n'.repeat(30_000)}`,
  ])('lets others have their turn in a long text, again and again (%#)', (text) => {
    const work = plainTextInTurns(text);
    let turns = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) turns += 1;
    expect(turns).toBeGreaterThan(text.split('\n').length / 1000);
    expect(step.value).toBe(plainText(text));
  });

  it('converts a line that nobody wrote in pieces, between words where there are some', () => {
    const words = '*word* `and` '.repeat(20_000);
    const work = plainTextInTurns(words);
    let turns = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) turns += 1;
    expect(turns).toBeGreaterThan(5);
    expect(step.value).toBe('word and '.repeat(20_000));
    expect(plainText(`x${'y'.repeat(100_000)} *z*`)).toBe(`x${'y'.repeat(100_000)} z`);
  });
});

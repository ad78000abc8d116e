import { describe, expect, it } from 'vitest';
import { hasTextBesidesImages, withoutImages } from './image-markup.ts';

describe('withoutImages', () => {
  const cases: [string, string][] = [
    ['![alt](x.png) hi', ' hi'],
    ['![](x.png)', ''],
    ['a ![one](1.png) b ![two](2.png "title") c', 'a  b  c'],
    ['![a [nested] alt](x.png)', ''],
    ['![alt](data:image/png;base64,AA(B)C==)', ''],
    ['![alt](x(1).png)!', '!'],
    ['![alt](a\\)b.png) rest', ' rest'],
    ['![alt][figure-1] text', ' text'],
    ['[![badge](b.svg)](https://example.com)', '[](https://example.com)'],
    ['![outer ![inner](i.png)](o.png)!', '!'],
    ['<img src="a.png" alt="A"/> caption', ' caption'],
    ['<IMG width=3 SRC = a.png>', ''],
    ['<div style="text-align: center;"><img src="imgs/1.jpg" alt="Image" width="50%" /></div>', ''],
    ['a <div><img src="a.png"> <img src="b.png"></div> b', 'a  b'],
    ['<DIV>\t<img src=a.png ></DIV >!', '!'],
    ['<div><img src="a.png"> Figure 1</div>', '<div> Figure 1</div>'],
    ['<div style="text-align: center;">Figure 1</div>', '<div style="text-align: center;">Figure 1</div>'],
    ['<div><img alt="A"></div>', '<div><img alt="A"></div>'],
    ['<div></div> and <divider><img src="a.png"></div>', '<div></div> and <divider></div>'],
    ['[text](url)', '[text](url)'],
    ['![alt] (x.png)', '![alt] (x.png)'],
    ['![alt](never closed', '![alt](never closed'],
    ['1 < 2 and <image> and <img>', '1 < 2 and <image> and <img>'],
    ['Poller out! [1]', 'Poller out! [1]'],
  ];
  it.each(cases)('makes %j into %j', (line, expected) => {
    expect(withoutImages(line)).toBe(expected);
  });

  it.each([
    '![',
    '![](',
    '![]',
    '![](a',
    '[',
    ']',
    '<',
    '<img ',
    '<img src=',
    '<div>',
    '<div><img src=a>',
    '<div ',
    '<div><img ',
    '![a](b)',
    '![][',
    '((((((',
  ])('ends on a megabyte of %j', (unit) => {
    const hostile = unit.repeat(2 ** 20 / unit.length);
    expect(withoutImages(hostile).length).toBeLessThanOrEqual(hostile.length);
  });
});

describe('hasTextBesidesImages', () => {
  it('finds no text in an answer of nothing but pictures', () => {
    expect(hasTextBesidesImages('![img-0.jpeg](img-0.jpeg)\n\n  ![x](y)\n')).toBe(false);
    expect(hasTextBesidesImages(' \n')).toBe(false);
  });

  it('finds none in pictures in the middle of the page', () => {
    expect(hasTextBesidesImages('<div style="text-align: center;"><img src="imgs/1.jpg" /></div>\n')).toBe(false);
    expect(hasTextBesidesImages('<div style="text-align: center;">Figure 1</div>')).toBe(true);
  });

  it('finds the caption beside a picture', () => {
    expect(hasTextBesidesImages('![img-0.jpeg](img-0.jpeg)\nFigure 1')).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { cleanAnswer } from './clean-answer.ts';

describe('cleanAnswer', () => {
  const cases: [name: string, answer: string, text: string][] = [
    ['a plain answer with its blank lines', '\n  Title \n\nText\n', '\n  Title \n\nText\n'],
    ['a markdown fence', '```markdown\n# Title\n\nText\n```', '# Title\n\nText'],
    ['a fence among blank lines', '\n\n```md  \nText\n```\n', 'Text'],
    ['a bare fence', '```\nText\n```', 'Text'],
    ['a fence around a fence', '```markdown\n```js\ncode\n```\n```', '```js\ncode\n```'],
    ['a fence that the output limit cut', '```markdown\n# Title\nTex', '# Title\nTex'],
    ['code at both ends', '```\na\n```\ntext\n```\nb\n```', '```\na\n```\ntext\n```\nb\n```'],
    ['a code block of the document', '```js\ncode\n```', '```js\ncode\n```'],
    ['a comment behind the fence', '```markdown\nText\n```\nNote', '```markdown\nText\n```\nNote'],
    ['thinking', '<think>\nlet me see\n</think>\n\nText', 'Text'],
    ['thinking before a fence', '<think>x</think>```markdown\nText\n```', 'Text'],
    ['thinking whose opening tag is lost', 'let me see\n</think>\nText', 'Text'],
    ['thinking without end', '<think>let me see', ''],
    ['a document about thinking', 'Use <think> and </think>.', 'Use <think> and </think>.'],
    ['the mark for no text', ' [no text]\n', ''],
    ['a fenced mark', '```markdown\n[no text]\n```', ''],
    ['a sentence for no text', 'There is no visible text in this image.', ''],
    ['a page that says so itself', 'This page intentionally left blank', 'This page intentionally left blank'],
    ['nothing', '', ''],
  ];
  it.each(cases)('makes of %s the text of the document', (_name, answer, text) => {
    expect(cleanAnswer(answer)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { isProseRefusal } from './prose-refusal.ts';

describe('isProseRefusal', () => {
  it.each([
    'I’m sorry, I can’t transcribe this document.',
    "I'm sorry, but I can't assist with that.",
    'Sorry, I cannot help with that request.',
    'I am unable to process this image as it contains personal information.',
    "I'm not able to provide a transcription of this page.",
    'Unfortunately, I cannot fully\nextract the text from the image.',
    'I apologize, but as an AI language model, I must decline to reproduce copyrighted text.',
    "I can't read the text in this picture. Please upload a clearer one.",
  ])('recognises %j', (answer) => {
    expect(isProseRefusal(answer)).toBe(true);
  });

  it.each([
    '',
    'Invoice 42\nTotal 10.00',
    'I’m sorry, I can’t come to the party on Friday.',
    'I cannot help you with moving house this weekend, said Anna.',
    'Dear Sir,\nI am unable to process your refund.',
    'I am unable to process your refund before May.',
    'Unfortunately, I cannot help with the rent.',
    'Sorry!',
    `I'm sorry, I can't transcribe this. ${'So begins the story of a clerk who would rather not. '.repeat(10)}`,
  ])('takes %.50j for a document', (answer) => {
    expect(isProseRefusal(answer)).toBe(false);
  });
});

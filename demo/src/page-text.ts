import type { Dice } from './dice.ts';

const KINDS = ['Invoice', 'Delivery note', 'Statement', 'Claim', 'Order', 'Receipt'];
const ITEMS = ['Paper A4, 80 g', 'Toner, black', 'Freight', 'Binder, blue', 'Translation', 'Site visit', 'Storage'];

/** A page of an invented business letter. */
export function pageText(dice: Dice): string {
  const lines = Array.from({ length: dice.between(2, 4) }, () => {
    const [quantity, cents] = [dice.between(1, 40), dice.between(120, 24_900)];
    return `${quantity} × ${choose(dice, ITEMS)}  ${money(cents)}  ${money(cents * quantity)}`;
  });
  const number = `${dice.between(2025, 2026)}-${String(dice.between(1, 99_999)).padStart(5, '0')}`;
  return [`${choose(dice, KINDS)} no. ${number}`, '', ...lines, '', 'Payable within 30 days. Sample text.'].join('\n');
}

function choose(dice: Dice, words: readonly string[]): string {
  return words[dice.between(0, words.length - 1)] ?? '';
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

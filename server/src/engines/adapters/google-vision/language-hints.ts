/** Languages that Vision's text detection names as supported; any other hint makes it fail. */
const SUPPORTED = new Set(
  `af sq ar hy be bn bg ca zh zh-Hant hr cs da nl en et fil fi fr de el gu he hi hu is id it ja kn km ko lo lv lt mk ms ml
   mr ne no fa pl pt pa ro ru sr sk sl es sv ta te th tr uk vi yi`.split(/\s+/),
);
/** Vision's names where they differ from the ISO code. */
const NAMES: Readonly<Record<string, string>> = { he: 'iw', nb: 'no', nn: 'no', 'sr-Latn': 'sr' };

/** The hints to send. English alone gives none: it is also the default, and Vision reads best without a hint. */
export function languageHints(native: string | readonly string[]): { hints: string[]; warnings: string[] } {
  const codes = [native].flat();
  if (codes.length === 1 && codes[0] === 'en') return { hints: [], warnings: [] };
  const known = codes.filter(isSupported);
  const warnings = codes
    .filter((code) => !isSupported(code))
    .map((code) => `This engine takes no hint for language "${code}"; it was left out.`);
  return { hints: [...new Set(known.map((code) => NAMES[code] ?? code))], warnings };
}

function isSupported(code: string): boolean {
  return SUPPORTED.has(code) || code in NAMES;
}

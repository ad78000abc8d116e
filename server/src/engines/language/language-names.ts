/** Tesseract's name for each language, by ISO 639-1 code (639-3 where there is none), with a script where it matters. */
export const TESSERACT_NAMES: Readonly<Record<string, string>> = {
  en: 'eng',
  ja: 'jpn',
  zh: 'chi_sim',
  'zh-Hant': 'chi_tra',
  ko: 'kor',
  ar: 'ara',
  ...pairs(`
    af:afr am:amh as:asm az:aze az-Cyrl:aze_cyrl be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat ceb:ceb
    chr:chr co:cos cs:ces cy:cym da:dan de:deu dv:div dz:dzo el:ell enm:enm eo:epo es:spa et:est eu:eus
    fa:fas fi:fin fil:fil fo:fao fr:fra frm:frm fy:fry ga:gle gd:gla gl:glg grc:grc gu:guj he:heb hi:hin
    hr:hrv ht:hat hu:hun hy:hye id:ind is:isl it:ita iu:iku jv:jav ka:kat kk:kaz km:khm kn:kan ku:kmr ky:kir
    la:lat lb:ltz lo:lao lt:lit lv:lav mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nor ne:nep
    nl:nld nn:nor no:nor oc:oci or:ori pa:pan pl:pol ps:pus pt:por qu:que ro:ron ru:rus sa:san sd:snd si:sin
    sk:slk sl:slv sq:sqi sr:srp sr-Latn:srp_latn su:sun sv:swe sw:swa syr:syr ta:tam te:tel tg:tgk th:tha
    ti:tir to:ton tr:tur tt:tat ug:uig uk:ukr ur:urd uz:uzb uz-Cyrl:uzb_cyrl vi:vie yi:yid yo:yor
  `),
};

/** Tesseract's data for one way of writing a language. */
export const TESSERACT_VARIANTS: Readonly<Record<string, string>> = {
  chi_sim_vert: 'zh',
  chi_tra_vert: 'zh-Hant',
  jpn_vert: 'ja',
  kor_vert: 'ko',
  ita_old: 'it',
  kat_old: 'ka',
  spa_old: 'es',
  frk: 'de',
};

/** EasyOCR's names where they differ from the ISO code. */
export const EASYOCR_NAMES: Readonly<Record<string, string>> = {
  zh: 'ch_sim',
  'zh-Hant': 'ch_tra',
  sr: 'rs_cyrillic',
  'sr-Latn': 'rs_latin',
  fil: 'tl',
  nb: 'no',
  nn: 'no',
  tg: 'tjk',
};

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(':')),
  );
}

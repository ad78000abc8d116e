import { allOf, type Element } from './xml-tree.ts';

/**
 * What ALTO 4.4's schema says of the elements that we write: its children in their order (`?` at most one, `*` any number, and one
 * otherwise), and its attributes with their types (`!`: required). The schema itself is not part of this repository.
 */
const RULES: Readonly<Record<string, { children?: string; attributes?: string; text?: true }>> = {
  alto: { children: 'Description? Styles? Tags? Layout', attributes: 'SCHEMAVERSION' },
  Description: { children: 'MeasurementUnit sourceImageInformation? OCRProcessing* Processing*' },
  MeasurementUnit: { text: true },
  sourceImageInformation: { children: 'fileName? fileIdentifier* documentIdentifier*' },
  documentIdentifier: { text: true },
  OCRProcessing: { children: 'preProcessingStep* ocrProcessingStep+ postProcessingStep*', attributes: 'ID!id' },
  ocrProcessingStep: {
    children:
      'processingCategory? processingDateTime? processingAgency? processingStepDescription* processingStepSettings? processingSoftware?',
  },
  processingCategory: { text: true },
  processingStepDescription: { text: true },
  processingSoftware: { children: 'softwareCreator? softwareName? softwareVersion? applicationDescription?' },
  softwareName: { text: true },
  softwareVersion: { text: true },
  Layout: { children: 'Page+' },
  Page: {
    children: 'TopMargin? LeftMargin? RightMargin? BottomMargin? PrintSpace?',
    attributes: 'ID!id PHYSICAL_IMG_NR!integer WIDTH?float HEIGHT?float PROCESSINGREFS?idrefs',
  },
  PrintSpace: { children: 'Shape? TextBlock*', attributes: 'HPOS?float VPOS?float WIDTH?float HEIGHT?float' },
  TextBlock: { children: 'Shape? TextLine*', attributes: 'ID!id HPOS?float VPOS?float WIDTH?float HEIGHT?float' },
  TextLine: {
    children: 'Shape? (String|SP)+',
    attributes: 'ID?id HPOS?float VPOS?float WIDTH?float HEIGHT?float BASELINE?points',
  },
  String: {
    children: 'Shape?',
    attributes: 'ID?id HPOS?float VPOS?float WIDTH?float HEIGHT?float CONTENT!string WC?share',
  },
  SP: { attributes: 'ID?id HPOS?float VPOS?float WIDTH?float HEIGHT?float' },
  Shape: { children: '(Polygon|Ellipse|Circle)' },
  Polygon: { attributes: 'POINTS!points' },
};

const TYPES: Readonly<Record<string, RegExp>> = {
  id: /^[\p{L}_][\p{L}\p{N}_.-]*$/u,
  idrefs: /^[\p{L}_][\p{L}\p{N}_.-]*(?: [\p{L}_][\p{L}\p{N}_.-]*)*$/u,
  integer: /^\d+$/,
  float: /^-?\d+(?:\.\d+)?$/,
  share: /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/,
  points: /^-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?(?: -?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?)*$/,
  string: /^[\s\S]*$/,
};

/** What is wrong with a file by these rules. */
export function altoFaults(root: Element): string[] {
  const faults: string[] = [];
  const ids = allOf(root).flatMap(({ attributes }) => attributes['ID'] ?? []);
  if (new Set(ids).size < ids.length) faults.push('an ID stands twice');
  for (const { name, attributes, children } of allOf(root)) {
    const rule = RULES[name];
    if (!rule) {
      faults.push(`${name}: not known`);
      continue;
    }
    const order = (rule.children ?? '')
      .replace(/\(?[\w|]+\)?/g, (part) => `(?:(?:${part}) )`)
      .replaceAll(') ) ', ') )');
    const inside = children.flatMap((child) => (typeof child === 'string' ? [] : `${child.name} `)).join('');
    if (!new RegExp(`^${order.replaceAll(' (', '(')}$`).test(inside)) faults.push(`${name}: has ${inside}`);
    const words = children.filter((child) => typeof child === 'string' && child.trim() !== '');
    if (words.length > 0 && !rule.text) faults.push(`${name}: has text`);
    if (name === 'alto') continue;
    const known = (rule.attributes ?? '').split(' ').filter((each) => each !== '');
    const types = new Map(known.map((each) => [each.split(/[!?]/)[0] ?? '', each.split(/[!?]/)[1] ?? '']));
    for (const each of known) {
      const [key = ''] = each.split('!');
      if (each.includes('!') && attributes[key] === undefined) faults.push(`${name}: no ${key}`);
    }
    for (const [key, value] of Object.entries(attributes)) {
      if (!TYPES[types.get(key) ?? '']?.test(value)) faults.push(`${name}: ${key}="${value}"`);
    }
    for (const ref of (attributes['PROCESSINGREFS'] ?? '').split(' ')) {
      if (ref !== '' && !ids.includes(ref)) faults.push(`${name}: nothing is called ${ref}`);
    }
  }
  return faults;
}

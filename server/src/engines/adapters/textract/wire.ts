import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { textract } from './adapter.ts';

export const wire: Wire = {
  adapter: textract,
  engine: { region: 'eu-west-1', apiKey: `AKIDEXAMPLE:${KEY}` },
  basePath: '',
  usage: { inputTokens: null, outputTokens: null },
  attack: { Document: { S3Object: { Bucket: 'b', Name: 'n' } } },
  positions: blocks([
    { ...placed('LINE', TEXT, 0.1, 0.8), Id: '2', Relationships: [{ Type: 'CHILD', Ids: ['3', '4'] }] },
    { ...placed('WORD', TEXT.slice(0, 5), 0.1, 0.35), Id: '3' },
    { ...placed('WORD', TEXT.slice(6), 0.4, 0.8), Id: '4' },
  ]),
  answers: {
    ...NO_MODEL,
    ok: blocks([
      { BlockType: 'LINE', Text: TEXT, Confidence: 99.6, Id: '2' },
      { BlockType: 'WORD', Text: TEXT.slice(0, 5), Confidence: 99.6, TextType: 'PRINTED', Id: '3' },
    ]),
    empty: blocks([]),
    refused: null,
    truncated: null,
    rateLimited: fault(400, 'ProvisionedThroughputExceededException', 'Provisioned rate exceeded'),
    serverError: fault(500, 'InternalServerError', 'Internal server error'),
    badCredentials: fault(400, 'UnrecognizedClientException', `The security token is invalid: ${KEY}`),
    unreadable: fault(400, 'BadDocumentException', 'Request has invalid image format'),
  },
};

function placed(BlockType: string, Text: string, left: number, right: number): object {
  const Polygon = [
    { X: left, Y: 0.1 },
    { X: right, Y: 0.1 },
    { X: right, Y: 0.2 },
    { X: left, Y: 0.2 },
  ];
  return { BlockType, Text, Confidence: 99.6, Geometry: { Polygon, RotationAngle: 0 } };
}

function blocks(found: object[]): WireAnswer {
  const Blocks = [{ BlockType: 'PAGE', Id: '1' }, ...found];
  const body = { DetectDocumentTextModelVersion: '1.0', DocumentMetadata: { Pages: 1 }, Blocks };
  return { status: 200, headers: aws(), body };
}

function fault(status: number, type: string, Message: string): WireAnswer {
  return { status, headers: aws(), body: { __type: `com.amazonaws.textract#${type}`, Message } };
}

function aws() {
  return { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'req-1' };
}

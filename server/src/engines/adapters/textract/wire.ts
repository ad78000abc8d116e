import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { textract } from './adapter.ts';

export const wire: Wire = {
  adapter: textract,
  engine: { region: 'eu-west-1', apiKey: `AKIDEXAMPLE:${KEY}` },
  basePath: '',
  usage: { inputTokens: null, outputTokens: null },
  attack: { Document: { S3Object: { Bucket: 'b', Name: 'n' } } },
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

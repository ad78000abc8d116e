import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { asFailure } from '../database/as-failure.ts';
import { AppError, type ErrorCode, methodNotAllowed } from '../platform/errors.ts';
import { logFault } from '../platform/log-fault.ts';
import type { Log } from '../platform/logging/log.ts';
import { forgetLongTexts } from '../platform/memory/forget-long-texts.ts';
import { annotateSpan } from '../platform/tracing/spans.ts';
import type { ReadBody, Sender } from './body/read-body.ts';
import type { SentDocuments } from './body/sent-documents.ts';
import { CompiledDocument } from './compiled-document.ts';
import { bodySchema, type Contract, type Operation, type Rule, type Schema } from './contract/contract.ts';
import { presenterOf } from './contract/present.ts';
import { describeProblem } from './contract/problem.ts';
import type { Call, Given, Hook, Present, Reply } from './contract/reply.ts';
import { camelCase, toInput } from './contract/to-input.ts';
import { FixedAnswers } from './fixed-answers.ts';
import { firstInvalidPath } from './invalid-path.ts';
import { HOOKS } from './operations/index.ts';
import { Routes } from './routes.ts';
import { sendReply } from './send.ts';
import { sendSlowly } from './slow-response.ts';

/** Most characters of a value that is kept while its call is answered. */
const LONGEST_KEPT = 1000;
/** When documents are compiled, in ms after the start, which needs the processor itself until then. */
const COMPILE_AFTER_MS = 1000;

/** An operation with all that its calls need. */
interface Endpoint<Caller> {
  readonly operation: Operation;
  readonly rules: readonly Rule[];
  readonly document: DocumentNode;
  readonly compiled: CompiledDocument;
  readonly hook: Hook<Caller>;
  readonly present: Present;
}

/** A call with the variables and documents for its operation. */
interface Received<Caller> {
  readonly endpoint: Endpoint<Caller>;
  readonly call: Call;
  readonly variables: Record<string, unknown>;
  readonly documents: SentDocuments | null;
}

/** The caller and the body of a call, as far as they are known. */
interface Origin<Caller> {
  caller: Caller;
  body: unknown;
}

const NO_BODY: ReadBody = { value: undefined, documents: null };

/** `Caller` is who calls, which the facade only hands on. */
export interface FacadeDeps<Caller> {
  /** Throws 401 or 403 unless the caller may use an operation that needs a key, and this scope where one is named. */
  readonly authorise: (caller: Caller, scope: string | null) => void;
  /**
   * Identifies the caller once more, after a body that was late. Throws 401 where the call is not allowed any more. Counts no
   * call.
   */
  readonly renew: (caller: Caller, req: IncomingMessage) => Promise<Caller>;
  /**
   * Makes the context of the resolvers. `onRequest` is to be called with the id of the request that answers; `documents` are
   * those of the body.
   */
  readonly context: (
    call: { caller: Caller; onRequest: (requestId: string) => void; documents: SentDocuments | null },
    res: ServerResponse,
  ) => object;
  readonly contract: Contract;
  readonly schema: GraphQLSchema;
  readonly documents: ReadonlyMap<string, DocumentNode>;
  /** Runs reads in the caller's turn. */
  readonly reads: { run<T>(caller: Caller, res: ServerResponse, work: () => Promise<T>): Promise<T> };
  readonly bodies: { read(req: IncomingMessage, res: ServerResponse, sender: Sender<Caller>): Promise<ReadBody> };
  /** Hooks that need more than the contract and the schema, by operationId: the ways in which bytes come in and go out. */
  readonly hooks?: Readonly<Record<string, Hook<Caller>>>;
  /** Is told the code of every call that is answered with an error. */
  readonly onRefusal: (code: ErrorCode) => void;
  /** Is told the error, the caller and, where a body was read, its outline. */
  readonly onRefused?: (error: AppError, res: ServerResponse, from: { caller: Caller; body: unknown }) => void;
  readonly slowResponseMs: number;
  readonly slowResponseBeatMs: number;
  readonly log: Log;
}

/**
 * The REST API over the GraphQL core: route → validation → the operation's GraphQL document, run in this process → body. It knows
 * the contract and the schema, but not what they are about.
 */
export class Facade<Caller> {
  readonly #deps: FacadeDeps<Caller>;
  readonly #fixed = new FixedAnswers();
  readonly #routes: Routes;
  readonly #endpoints: ReadonlyMap<Operation, Endpoint<Caller>>;

  constructor(deps: FacadeDeps<Caller>) {
    this.#deps = deps;
    const { operations, rules: rulesOf } = deps.contract;
    this.#routes = new Routes(operations);
    this.#endpoints = new Map(
      operations.map((operation): [Operation, Endpoint<Caller>] => {
        const id = operation.operationId;
        const document = deps.documents.get(id);
        if (!document) throw new Error(`operation ${id} has no GraphQL document`);
        const rules = rulesOf[id] ?? [];
        const hook = deps.hooks?.[id] ?? HOOKS[id] ?? {};
        const compiled = new CompiledDocument(deps.schema, document);
        const present = presenterOf(operation);
        const endpoint: Endpoint<Caller> = { operation, rules, document, compiled, hook, present };
        if (hook.slow) prepare(compiled);
        return [operation, endpoint];
      }),
    );
  }

  /** Answers a call. The caller has been identified and counted before. */
  async handle(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void> {
    if (this.#fixed.send(req, res)) return;
    const from: Origin<Caller> = { caller, body: undefined };
    const refuse = (error: unknown) => this.#failure(error, res, from);
    try {
      const { endpoint, call, variables, documents } = await this.#receive(req, res, from);
      const onRequest = (id: string) => {
        if (!res.headersSent) res.setHeader('X-Request-Id', id);
        forgetLongTexts(variables); // what was sent is read by now
      };
      const context = this.#deps.context({ caller: from.caller, onRequest, documents }, res);
      if (!endpoint.hook.slow?.(call)) {
        const run = () => this.#run(endpoint, call, { context, variables });
        const isRead = endpoint.operation.method === 'get';
        const answer = await (isRead ? this.#deps.reads.run(from.caller, res, run) : run());
        if (endpoint.hook.fixed) this.#fixed.keep(req.url ?? '', answer);
        if (endpoint.hook.fixed && this.#fixed.send(req, res)) return;
        return await sendReply(res, answer);
      }
      const reply = this.#run(endpoint, call, { context, variables }).catch(refuse);
      const { slowResponseMs: afterMs, slowResponseBeatMs: beatMs } = this.#deps;
      await sendSlowly(res, reply, { afterMs, beatMs }, (answer) => sendReply(res, answer));
    } catch (error) {
      if (!res.headersSent) return sendReply(res, refuse(error));
      if (!res.destroyed) res.destroy(); // what was promised cannot be sent any more
      if (!isGone(error)) this.#deps.log.error({ err: error }, 'an answer broke off');
    }
  }

  /**
   * Receives a call. Only the outline of the body is kept until the answer: properties that the operation does not know may take
   * many times their bytes. The caller is identified once more where the body was late.
   */
  async #receive(req: IncomingMessage, res: ServerResponse, from: Origin<Caller>): Promise<Received<Caller>> {
    const url = req.url ?? '/';
    const mark = url.indexOf('?');
    const { endpoint, params } = this.#match(req.method ?? 'GET', mark < 0 ? url : url.slice(0, mark));
    const { method, path } = endpoint.operation;
    annotateSpan({ 'http.route': path }, `${method.toUpperCase()} ${path}`);
    this.#authorise(endpoint.operation, from.caller);
    const sender: Sender<Caller> = { caller: from.caller, onLate: () => this.#renew(endpoint.operation, req, from) };
    const { hook } = endpoint;
    const schema = hook.receive ? null : bodySchema(endpoint.operation);
    const { value: body, documents } = schema ? await this.#deps.bodies.read(req, res, sender) : NO_BODY;
    from.body = outlineOf(schema, body);
    const query = mark < 0 || hook.anyQuery ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)));
    const given = { params, query, headers: req.headers, body };
    const whole = hook.salvage ? hook.salvage(given, (rest) => check(endpoint, rest)) : check(endpoint, given);
    const call = { ...whole, body: outlineOf(schema, whole.body) };
    const variables = hook.receive
      ? await hook.receive(req, call, sender)
      : (hook.variables?.(whole) ?? defaultVariables(whole));
    return { endpoint, call, variables, documents };
  }

  async #renew(operation: Operation, req: IncomingMessage, from: Origin<Caller>): Promise<void> {
    from.caller = await this.#deps.renew(from.caller, req);
    this.#authorise(operation, from.caller);
  }

  #match(method: string, path: string): { endpoint: Endpoint<Caller>; params: Readonly<Record<string, string>> } {
    const match = this.#routes.match(method, path);
    if (!match) throw new AppError('not_found', `There is nothing at ${path.slice(0, 200)}.`);
    if ('operation' in match) {
      return { endpoint: this.#endpoints.get(match.operation) as Endpoint<Caller>, params: match.params }; // every operation has one
    }
    throw methodNotAllowed(method, match.allowed);
  }

  /** Applies the contract: an operation whose security is empty, or allows no credentials, needs no caller. Throws 401 or 403. */
  #authorise(operation: Operation, caller: Caller): void {
    const { security } = operation;
    const open = security?.length === 0 || security?.some((requirement) => Object.keys(requirement).length === 0);
    if (!open) this.#deps.authorise(caller, operation['x-scope'] ?? null);
  }

  async #run(
    endpoint: Endpoint<Caller>,
    call: Call,
    { context, variables }: { context: object; variables: Record<string, unknown> },
  ): Promise<Reply> {
    const { document, compiled, hook, present } = endpoint;
    const answer = await compiled.run(context, variables);
    const failure = answer.errors?.[0];
    // An error without a path: a variable was refused, and nothing ran.
    if (failure) {
      if (failure.path) throw failure.originalError ?? failure;
      throw invalidVariable(failure, firstInvalidPath(this.#deps.schema, document, variables));
    }
    const result = answer.data?.['result'];
    const data = (Array.isArray(result) ? { data: result } : result) as Record<string, unknown>; // lists and objects only
    return (await hook.reply?.(data, present, call)) ?? { status: 200, body: present(data) as object };
  }

  #failure(error: unknown, res: ServerResponse, from: Origin<Caller>): Reply {
    const known = asFailure(error);
    this.#deps.onRefusal(known.code);
    this.#deps.onRefused?.(known, res, from);
    logFault(this.#deps.log, known, String(res.getHeader('X-Request-Id')));
    const { retryAfterSeconds, headers } = known.details;
    return {
      status: known.status,
      headers: { ...headers, ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }) },
      body: known.envelope(),
    };
  }
}

/** Compiles a document ahead of its first call, soon after the start. */
function prepare(compiled: CompiledDocument): void {
  setTimeout(() => compiled.prepare().catch(() => undefined), COMPILE_AFTER_MS).unref(); // its call tells
}

/** Whether the error says that the client left before the end of the answer. */
function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_UNABLE_TO_PIPE';
}

/** Checks a call by the contract: fills in defaults, coerces query parameters, and throws for a broken rule, naming the field. */
function check({ operation, rules }: Pick<Endpoint<unknown>, 'operation' | 'rules'>, given: Given): Call {
  const checked = { path: given.params, query: given.query, header: given.headers, requestBody: given.body };
  for (const rule of rules) {
    if (!rule(checked)) throw describeProblem(rule.errors ?? [], checked);
  }
  return { operation, params: checked.path, query: checked.query, headers: checked.header, body: checked.requestBody };
}

/**
 * The error for a variable that the schema's types refuse, although the contract let it pass: the caller's fault all the same.
 */
function invalidVariable(failure: GraphQLError, path: readonly (string | number)[]): AppError {
  const field = path.join('.').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) || 'body';
  return new AppError('invalid_request', `${field}: is not a value of the right type.`, {}, { cause: failure });
}

/** The outline of a body: the short values of the properties that the contract has. */
function outlineOf(schema: Schema | null, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  const given = Object.keys(schema?.properties ?? {}).map((name) => [name, (body as Record<string, unknown>)[name]]);
  return Object.fromEntries(given.filter(([, value]) => isShort(value)));
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= LONGEST_KEPT : ['number', 'boolean'].includes(typeof value);
}

/** The variables of an operation without a hook: the body, and path and query parameters under their camelCase names. */
function defaultVariables(call: Call): Record<string, unknown> {
  const schema = bodySchema(call.operation);
  const body = schema ? (toInput(schema, call.body).input as Record<string, unknown>) : {};
  const given = Object.entries({ ...call.params, ...call.query });
  return { ...body, ...Object.fromEntries(given.map(([name, value]) => [camelCase(name), value])) };
}

import type { Format, PagePicture, PageSize, PreprocessingStep } from '../../documents/formats/document.ts';
import type { NanoUsd } from '../../platform/money.ts';
import type { PageLayout } from './page-layout.ts';
import type { ProviderFault } from './provider-fault.ts';

/** One engine of the catalogue: what the operator configured, merged over what is built in. */
export interface Engine {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly adapter: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly model: string | null;
  readonly region: string | null;
  readonly pricePerPage: NanoUsd;
  /** Nano-USD per million tokens, where the engine is billed by tokens. */
  readonly tokenPrices: {
    readonly inputPerMillion: NanoUsd;
    readonly outputPerMillion: NanoUsd;
    /** What the provider takes for every call besides its tokens. */
    readonly feePerCall?: NanoUsd;
  } | null;
  readonly providerCostPerPage: NanoUsd | null;
  /** The most tokens that one page takes, by the operator's word; absent where there is none. */
  readonly mostPageTokens?: { readonly input: number; readonly output: number } | null;
  /** How many tokens a model may write for a page, by the operator's word; null: as many as its adapter lets it. */
  readonly pageOutputTokens?: number | null;
  readonly maxPagesPerRequest: number;
  readonly nativePdf: boolean;
  readonly pageRange: boolean;
  /** `url`, `base64` and formats. */
  readonly accepts: readonly string[];
  readonly supports: readonly ('image_url' | 'image_base64')[];
  readonly strengths: readonly string[];
  readonly benchmark: Benchmark | null;
  readonly recommended: boolean;
  /** What its callers' native_settings may set beside what the adapter lets through. */
  readonly nativeAllow: readonly string[];
  /** False when the configuration file switches it off; the operator's own switch is in the database. */
  readonly enabled: boolean;
  /** Calls at once, per worker process. */
  readonly concurrency: number;
  /** Milliseconds one call may take; never above the service's own engine limit. */
  readonly timeoutMs: number;
  readonly healthUrl: string | null;
  readonly probe: boolean;
  readonly status: 'available' | 'coming_soon';
}

/** Measured accuracy: scores from 0 to 100, never invented. */
export interface Benchmark {
  readonly hardScore: number;
  readonly easyScore: number;
  /** 95 % confidence interval of `hardScore`, as [low, high]. */
  readonly ci: readonly [number, number] | null;
  /** ISO 8601 date of the run. */
  readonly measuredAt: string;
}

/** What one call of an engine reads: one normalised picture, or a whole PDF where the engine takes those. */
export type EngineInput =
  | {
      readonly kind: 'picture';
      readonly page: number;
      readonly picture: PagePicture;
      /** As below. */
      readonly party?: string;
      /** The same object for all pages of a document, for as long as it is read. */
      readonly document?: object;
    }
  | {
      readonly kind: 'document';
      readonly bytes: Buffer;
      readonly format: Format;
      /** Pages that are asked for. */
      readonly pages: readonly number[];
      /** Pages that it has, where that is known. */
      readonly pagesTotal?: number;
      /** The account: accounts take turns where a document is read on this machine. */
      readonly party?: string;
    };

/** The settings of one call, already mapped for this engine. */
export interface EngineSettings {
  /** The caller's language, such as `en`, and the same in the engine's own words. */
  readonly language: string;
  readonly languageNative: string | readonly string[];
  readonly dpi: number | null;
  readonly detectTables: boolean;
  /** False: the picture is read as it is; else it may be prepared so that it reads better. */
  readonly preprocess?: boolean | undefined;
  /** How long the engine may look again at a page that it read badly; absent where nobody waits. */
  readonly lookMs?: number | undefined;
  /** How many tokens a model may write for a page; absent where its adapter decides that. */
  readonly pageOutputTokens?: number;
  /** Whether the answer is to say where its text stands, as far as the engine knows. */
  readonly positions?: boolean;
  /** Whether the answer is to have the page's tables, as far as the engine tells them apart from its text. */
  readonly tables?: boolean;
  /** Those of the caller's native_settings that pass; they win over everything above. */
  readonly native: Readonly<Record<string, unknown>>;
}

/** What an engine is told of a caller's settings. */
export interface Forwarded {
  /** The language that it is told, in the caller's terms; null where these have no word for it. */
  readonly language: string | null;
  /** Null where the engine's own parameters name it by what is no language. */
  readonly languageNative: string | readonly string[] | null;
  /** Absent where none of the engine's own parameters decides that. */
  readonly findsTables?: boolean;
  /** Its own parameters, without what was ignored, and with the values that it is given. */
  readonly native: Readonly<Record<string, unknown>>;
}

export interface PageReading {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** 0 to 1; null where the engine does not report it. */
  readonly confidence: number | null;
  /** Where the words come from: the PDF's own text, or recognition. */
  readonly source: 'text_layer' | 'engine';
  /** Set by engines that read text layers: the page is a picture of text, which they cannot read. */
  readonly scanned?: { readonly reason: string };
  /** The engine did not tell the pages apart: this one's text stands on the first. */
  readonly merged?: boolean;
  /** What the engine did to the picture so that it reads better; absent where nothing was done. */
  readonly steps?: readonly PreprocessingStep[];
  /** Where the text stands, where that was asked for and the engine says it. */
  readonly layout?: PageLayout;
  /** Of a page of a PDF, where the engine has opened it on this machine. */
  readonly size?: PageSize;
}

/**
 * How one call ended, judged before its text is looked at. `quote` is what of the message is the engine's or its provider's own: it may
 * cite the page.
 */
export type Ending =
  | { readonly kind: 'ok' }
  | { readonly kind: 'truncated'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string; readonly quote?: string }
  | { readonly kind: 'empty' }
  /** The engine limit passed and the call was aborted. */
  | { readonly kind: 'timeout'; readonly message: string }
  /** The request was cancelled: while the call was under way, or (`called: false`) before it began. */
  | { readonly kind: 'cancelled'; readonly message: string; readonly called: boolean }
  /** No one could read this page: the engine says so, or (`called: false`) it cannot be drawn for any engine. */
  | { readonly kind: 'unreadable'; readonly message: string; readonly quote?: string; readonly called?: boolean }
  /** Transport, HTTP or provider failure; `temporary` ones may succeed elsewhere or later. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly quote?: string;
      readonly temporary: boolean;
      readonly httpStatus: number | null;
      /** What the provider's answer said was wrong; absent where it did not answer so. */
      readonly fault?: ProviderFault;
      /** What the provider said, where the message leaves it out: it may name the operator's account. Only the runner sees it. */
      readonly providerWords?: string;
      /** Whether the engine was called at all; true when not given. */
      readonly called?: boolean;
      /** The provider rejected what the caller's native_settings asked for: that says nothing about the engine. */
      readonly byCaller?: boolean;
      /** The answer was larger than is taken: that for fewer pages may not be. */
      readonly tooLarge?: true;
      /** The page was not begun: it might have cost more than the caller allows. */
      readonly overCap?: boolean;
    };

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly pages: number | null;
  /** Of `outputTokens`: reasoning that the provider counts beside the answer, and the call's cap does not bound. */
  readonly reasoningApart?: number;
  /** The provider's usage object, as it came. */
  readonly raw: unknown;
}

/** The one answer every adapter gives. */
export interface Reading {
  readonly ending: Ending;
  /** One entry a page that was read, in the order of the document. */
  readonly pages: readonly PageReading[];
  readonly usage: Usage | null;
  /** Whether the model reasoned before it wrote, where its answer says so. */
  readonly reasoned?: true;
  /** The most that the call can have used, by what was sent and allowed; absent where the adapter does not know. */
  readonly mostTokens?: { readonly input: number; readonly output: number };
  /** Whether the provider bills this call; `unknown` leaves billing pending and never means 0. */
  readonly billed: 'yes' | 'no' | 'unknown';
  readonly providerRequestId: string | null;
  readonly modelVersion: string | null;
  /** Plain sentences for the caller. */
  readonly warnings: readonly string[];
  /** What of the warnings is quoted, as of an ending. */
  readonly quotes?: readonly string[];
  /** What the engine was told, where that depends on what is known of it only when it is called. */
  readonly forwarded?: Partial<Forwarded>;
}

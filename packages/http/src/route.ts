import type { z } from 'zod';
import type { AnswerOf, OperationId } from '@tocsin/api';
import type { Principal } from './authentication/index.ts';
import type { Admission } from './admission.ts';

/**
 * An answer with the status (200 by default) and the JSON body, to which `took` and `requestId` are added (E1). A list that may be
 * long is an iterator, whose items are made while the body is written, in parts between which the event loop runs.
 */
export interface Reply {
  readonly status?: number;
  /** Several values are several headers of the name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A file to download, sent as it is with status 200 and the headers of E3. */
export interface FileReply {
  readonly file: {
    /** With its extension. Characters that are not safe in a file name are replaced or encoded. */
    readonly name: string;
    /** As in `Content-Type`. */
    readonly type: string;
    readonly content: string | FileBytes;
    /** Names what the file says. A caller that has it already, by its `If-None-Match`, is answered 304. */
    readonly etag?: string;
  };
}

/** An answer that is not JSON, such as a page: sent as it is, with the status (200 by default) and the headers of the route. */
export interface WrittenReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly written: {
    /** As in `Content-Type`. */
    readonly type: string;
    readonly content: string;
  };
}

/** Content that is too long for memory. It is read with back-pressure, and no further once the caller has left. */
export interface FileBytes {
  /** Exactly the number of `bytes`. */
  readonly length: number;
  /** An error before the first byte is answered like any other. A later one cuts the answer short. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** One request, parsed. */
export interface RouteInput<Q, B> {
  /** Path parameters, percent-decoded; `+` is a plus (wire facts 10.5). */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** Those of the operation's `passedHeaders` that the request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** One without any right, for an operation that needs no key. */
  readonly principal: Principal;
  /** UUID v7, equal to `X-Request-ID`. */
  readonly requestId: string;
  /** The first untrusted hop (A3). */
  readonly callerAddress: string;
  /** Scheme and host under which the caller knows us, for paging URLs (A12); no trailing slash. */
  readonly publicUrl: string;
}

/** One documented operation and its handler. Method and path come from the operation table. */
export interface Route<Q = unknown, B = unknown> {
  readonly operation: OperationId;
  readonly query?: z.ZodType<Q>;
  /** Without a schema the body is ignored; `rawBody` passes it unread. */
  readonly body?: z.ZodType<B>;
  /** A map in the body whose numbers come as texts, with every digit that was sent. */
  readonly writtenNumbers?: 'details';
  /** Bounds how many of such requests are under way, in all and for each key. Routes may have it in common. */
  readonly pool?: Admission;
  readonly handle: (input: RouteInput<Q, B>) => Promise<Reply | FileReply | WrittenReply>;
}

/** The answer of the operation. */
export interface ReplyOf<Id extends OperationId> extends Omit<Reply, 'body'> {
  readonly body: AnswerOf<Id>;
}

/** The handler of each operation: it answers as the API description of the operation says. */
type Handlers<Q, B> = {
  [Id in OperationId]: (input: RouteInput<Q, B>) => Promise<ReplyOf<Id> | FileReply | WrittenReply>;
};

/** Keeps the types of one route's query and body together. A handler whose answer is not the described one does not compile. */
export function defineRoute<Id extends OperationId, Q = unknown, B = unknown>(
  route: Omit<Route<Q, B>, 'operation' | 'handle'> & {
    readonly operation: Id;
    readonly handle: Handlers<Q, B>[Id];
  },
): Route {
  return route as unknown as Route;
}

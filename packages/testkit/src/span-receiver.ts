import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { protobufFields } from './protobuf-fields.ts';

/** A span as a collector sees it. Ids are hexadecimal. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where the trace begins. */
  readonly parentId: string;
  /** `traceId-spanId` of each. */
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly failure: string | undefined;
  readonly resource: Readonly<Record<string, string>>;
}

/** A double of a collector: accepts spans over HTTP, as protobuf. */
export interface SpanReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The number of requests, and the headers of the last one. */
  readonly requests: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  stop(): Promise<void>;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const FAILED = 2n;

/** Listens on a port of its own of this machine. */
export async function startSpanReceiver(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  const seen = { requests: 0, headers: {} as SpanReceiver['headers'] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isSpans = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      seen.requests += 1;
      seen.headers = request.headers;
      if (isSpans) spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(isSpans ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get requests() {
      return seen.requests;
    },
    get headers() {
      return seen.headers;
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function spansOf(request: Buffer): readonly ReceivedSpan[] {
  return messages(request, 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0] ?? Buffer.alloc(0), 1);
    const spans = messages(ofResource, 2).flatMap((ofScope) => messages(ofScope, 2));
    return spans.map((span) => spanOf(span, resource));
  });
}

function spanOf(span: Buffer, resource: ReceivedSpan['resource']): ReceivedSpan {
  const [status = Buffer.alloc(0)] = messages(span, 15);
  const isFailed = field(status, 3) === FAILED;
  return {
    service: resource['service.name'] ?? '',
    name: text(span, 5),
    kind: KINDS[Number(field(span, 6) ?? 0n)] ?? '',
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentId: hex(span, 4),
    links: messages(span, 13).map((link) => `${hex(link, 1)}-${hex(link, 2)}`),
    attributes: attributesOf(span, 9),
    failure: isFailed ? text(status, 2) : undefined,
    resource,
  };
}

function attributesOf(message: Buffer, number: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    messages(message, number).map((pair) => {
      const [value = Buffer.alloc(0)] = messages(pair, 2);
      const [only] = protobufFields(value);
      return [text(pair, 1), Buffer.isBuffer(only?.value) ? only.value.toString() : String(only?.value ?? '')];
    }),
  );
}

const field = (message: Buffer, wanted: number): bigint | Buffer | undefined =>
  [...protobufFields(message)].find(({ number }) => number === wanted)?.value;

const messages = (message: Buffer, wanted: number): readonly Buffer[] =>
  [...protobufFields(message)].flatMap(({ number, value }) =>
    number === wanted && Buffer.isBuffer(value) ? [value] : [],
  );

const bytes = (message: Buffer, wanted: number): Buffer => messages(message, wanted)[0] ?? Buffer.alloc(0);
const hex = (message: Buffer, wanted: number): string => bytes(message, wanted).toString('hex');
const text = (message: Buffer, wanted: number): string => bytes(message, wanted).toString();

/** How the messages of a protocol are separated, and what they request. */
export interface WireProtocol {
  /** The length of the first message in `bytes`; 0 while it is unknown. */
  lengthOf(bytes: Buffer): number;
  /** The kind of a request, and the number by which its answer will name it. */
  askedBy(request: Buffer): { readonly id: number; readonly what: string };
  /** The number of the request that an answer belongs to. */
  answeredBy(answer: Buffer): number;
}

const INT32 = 4;
const OP_MSG = 2_013;
/**
 * The offset of the first element of a command: after the header, the flags, the kind of the section, the length, and the type of the
 * element.
 */
const COMMAND_AT = 26;
const TEXT = 2;

/** MongoDB's protocol. A request is named by its command and its collection, if it has one: `update timers`, `commitTransaction`. */
export const MONGO_PROTOCOL: WireProtocol = {
  lengthOf: (bytes) => (bytes.length < INT32 ? 0 : bytes.readInt32LE(0)),
  askedBy: (request) => ({ id: request.readInt32LE(INT32), what: commandOf(request) }),
  answeredBy: (answer) => answer.readInt32LE(2 * INT32),
};

function commandOf(request: Buffer): string {
  if (request.readInt32LE(3 * INT32) !== OP_MSG) return 'something else';
  const end = request.indexOf(0, COMMAND_AT);
  const name = request.toString('utf8', COMMAND_AT, end);
  if (request[COMMAND_AT - 1] !== TEXT) return name;
  const textAt = end + 1 + INT32;
  return `${name} ${request.toString('utf8', textAt, request.indexOf(0, textAt))}`;
}

/** By the numbers of the protocol. */
const KAFKA_REQUESTS = new Map([
  [0, 'produce'],
  [1, 'fetch'],
  [8, 'commit offsets'],
  [11, 'join group'],
  [12, 'heartbeat'],
]);
const KAFKA_ID_AT = 2 * INT32;

/** Kafka's protocol. A request is named by its client id, its kind, and its topics with `topicPrefix`: `notifier produce decisions.v1`. */
export const kafkaProtocol = (topicPrefix: string): WireProtocol => ({
  lengthOf: (bytes) => (bytes.length < INT32 ? 0 : INT32 + bytes.readInt32BE(0)),
  askedBy: (request) => {
    const client = request.toString('utf8', 14, 14 + Math.max(0, request.readInt16BE(12)));
    const does = KAFKA_REQUESTS.get(request.readInt16BE(INT32)) ?? 'something else';
    const topics = new Set(request.toString('latin1').match(topicsWith(topicPrefix)));
    const what = [client, does, ...[...topics].map((topic) => topic.slice(topicPrefix.length))].join(' ');
    return { id: request.readInt32BE(KAFKA_ID_AT), what };
  },
  answeredBy: (answer) => answer.readInt32BE(INT32),
});

const topicsWith = (prefix: string): RegExp => new RegExp(`${prefix.replaceAll('.', '[.]')}[a-z-]+[.]v\\d+`, 'g');

const END_OF_MAIL = /(^|\n)\.\r\n$/;

/** SMTP. There is one request at a time: a `mail` where it has the end of a mail, otherwise a `line`. */
export const SMTP_PROTOCOL: WireProtocol = {
  lengthOf: (bytes) => bytes.length,
  askedBy: (request) => ({ id: 0, what: END_OF_MAIL.test(request.toString('latin1')) ? 'mail' : 'line' }),
  answeredBy: () => 0,
};

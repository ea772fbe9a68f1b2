import PostalMime, { type Email } from 'postal-mime';
import { decodedText } from './decoded-text.ts';
import { withWholeWords } from './encoded-words.ts';
import { MailBytes } from './mail-bytes.ts';

interface Parameters {
  readonly parsed: { readonly params: Record<string, string> };
}

/** A part of a mail, its bytes decoded. */
interface Part {
  readonly contentType: Parameters;
  readonly contentDisposition: Parameters;
  content: ArrayBuffer | null;
}

/** The parser's own view of a part, while its bytes come in. */
interface OpenPart {
  contentDecoder: { chunks: Iterable<Chunk> };
  /** Chooses the decoder once the header of the part is read. */
  setupContentDecoder: (this: OpenPart, encoding: string) => void;
}

/** A piece of a decoded part; a text is a line end. */
type Chunk = Uint8Array | ArrayBuffer | '\n';

/** Members of the parser that its types lack. Its version is pinned. */
interface Internals {
  readonly root: OpenPart;
  parse(raw: Uint8Array): Promise<Email>;
  /** Sorts a part into texts and files. */
  collectNode(part: Part, alternative: unknown, related: unknown): Promise<void>;
  isInlineTextNode(part: Part): boolean;
}

const Base = PostalMime as unknown as new () => Internals;

const LINE_END = Buffer.from('\n');

/** The chunks of a decoded part as one. The parser joins two chunks for each line, which takes it a second for 50 000 lines. */
class JoinedChunks implements Iterable<Chunk> {
  readonly #bytes = new MailBytes();

  push(chunk: Chunk): void {
    if (chunk instanceof ArrayBuffer) this.#bytes.add(new Uint8Array(chunk));
    else this.#bytes.add(typeof chunk === 'string' ? LINE_END : chunk);
  }

  *[Symbol.iterator](): Generator<Chunk, void> {
    yield this.#bytes.whole();
  }
}

/** The prototype of all parts, also of those of mails within mails. */
const parts = Object.getPrototypeOf(new Base().root) as OpenPart;
const { setupContentDecoder: chooseDecoder } = parts;
parts.setupContentDecoder = function (encoding) {
  chooseDecoder.call(this, encoding);
  this.contentDecoder.chunks = new JoinedChunks();
};

/** A parser that also reads texts whose sender declares a wrong character set. */
class MailParser extends Base {
  override async collectNode(part: Part, alternative: unknown, related: unknown): Promise<void> {
    mend(part, this.isInlineTextNode(part));
    await super.collectNode(part, alternative, related);
  }
}

/** `raw`: a mail with a repaired header. @throws Error when the parser cannot read the mail. */
export function parsedMail(raw: Uint8Array): Promise<Email> {
  return new MailParser().parse(raw);
}

/** Joins the encoded words in the name of a file; converts a text that is no file to UTF-8. */
function mend(part: Part, isText: boolean): void {
  const { params } = part.contentType.parsed;
  for (const named of [params, part.contentDisposition.parsed.params])
    for (const name of ['filename', 'name']) if (named[name] !== undefined) named[name] = withWholeWords(named[name]);
  if (part.content === null || !isText) return;
  const text = decodedText(new Uint8Array(part.content), params['charset']);
  if (text === undefined) return;
  part.content = new TextEncoder().encode(text).buffer;
  params['charset'] = 'utf-8';
}

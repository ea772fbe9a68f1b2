// cspell:ignore antw doorst ynt ilt bls trs enc σχετ ответ תגובה továbbítás пересл הועבר
/** What stands before the subject of an answer or a forward, in the words of the languages whose mail programs have some. */
const ANSWERED =
  /^(?:re|aw|antw|sv|vs|odp|res|ynt|bls|atb|vá|απ|σχετ|отв|ответ|תגובה|השב|رد|回复|答复|回覆|返信|답장|회신|fwd?|wg|tr|rv|vb|vl|enc|ilt|trs|doorst|pd|továbbítás|πρθ|пересл|הועבר|转发|轉寄|轉發|転送|전달)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]\s*/iu;
/** How monitoring says that the trouble is over, and that it is not. */
const RECOVERY = 'resolved|ok|recovery|recovered';
const TROUBLE = 'firing|alerting|problem|no ?data';
const COUNT = String.raw`(?: ?: ?\d{1,6})?`;
const STATES = new RegExp(
  String.raw`^\[ ?(?:${RECOVERY}|${TROUBLE})${COUNT}(?: ?, ?(?:${RECOVERY}|${TROUBLE})${COUNT})* ?\] ?$`,
  'i',
);
const TROUBLE_IN_STATES = new RegExp(String.raw`\b(?:${TROUBLE})\b`, 'i');
const LABEL = /^\[[^[\]]*\]\s*/;
const WRAPPED = /^\[fwd?:(.*)\]$/is;
const TRAILER = /\s*\(fwd\)$/i;

/** What the subject of a mail says of the conversation that the mail belongs to. */
export interface Conversation {
  /**
   * The subject without what answers, forwards and lists add to it and without the labels of a state, such as `[RESOLVED]`,
   * that it begins with, repeated and in any case; white space is one space. Other labels stay: they may tell two hosts apart.
   * A label goes only where something is left; empty where the subject says nothing but that it is an answer. Its own
   * conversation's subject.
   */
  readonly subject: string;
  /** Whether a label of a state went, and each of them says that the trouble is over. */
  readonly recovery: boolean;
}

/** `listNames`: what the list that the mail came by is called, in any case. */
export function conversationOf(subject: string, listNames: readonly string[] = []): Conversation {
  const lists = new Set(listNames.map((name) => name.toLowerCase()));
  const states: string[] = [];
  const kept: string[] = [];
  let left = subject.replaceAll(/\s+/g, ' ').trim();
  for (let before = ''; before !== left;) {
    before = left;
    left = withoutMarks(left);
    const label = LABEL.exec(left)?.[0] ?? '';
    if (label === '' || label.length === left.length) continue;
    left = left.slice(label.length);
    if (STATES.test(label)) states.push(label);
    else if (!lists.has(label.trim().slice(1, -1).trim().toLowerCase())) kept.push(label);
  }
  const recovery = states.length > 0 && !states.some((state) => TROUBLE_IN_STATES.test(state));
  return { subject: (kept.join('') + left).trim(), recovery };
}

function withoutMarks(subject: string): string {
  const left = subject.replace(TRAILER, '').replace(ANSWERED, '');
  return WRAPPED.exec(left)?.[1]?.trim() ?? left;
}

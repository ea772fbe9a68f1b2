// cspell:ignore antw doorst ynt ilt bls trs enc σχετ ответ תגובה továbbítás пересл הועבר
/** The prefix of the subject of an answer or a forward, in the languages of common mail programs. */
const REPLY_PREFIX =
  /^(?:re|aw|antw|sv|vs|odp|res|ynt|bls|atb|vá|απ|σχετ|отв|ответ|תגובה|השב|رد|回复|答复|回覆|返信|답장|회신|fwd?|wg|tr|rv|vb|vl|enc|ilt|trs|doorst|pd|továbbítás|πρθ|пересл|הועבר|转发|轉寄|轉發|転送|전달)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]\s*/iu;
/** The words with which monitoring reports a recovery and a problem. */
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

/** The conversation that a mail belongs to, by its subject. */
export interface Conversation {
  /**
   * The subject without the prefixes of answers, forwards and lists and without labels of a state such as `[RESOLVED]`, repeated
   * and in any case, and with white space as one space. It keeps other labels, because they may distinguish two hosts, and it
   * keeps a label that is the whole rest. Empty when the subject has nothing but such prefixes. The function returns this subject
   * unchanged.
   */
  readonly subject: string;
  /** Whether the function removed labels of a state, and all of them report a recovery. */
  readonly recovery: boolean;
}

/** `listNames`: the names of the mailing list that sent the mail, in any case. */
export function conversationOf(subject: string, listNames: readonly string[] = []): Conversation {
  const lists = new Set(listNames.map((name) => name.toLowerCase()));
  const states: string[] = [];
  const kept: string[] = [];
  let left = subject.replaceAll(/\s+/g, ' ').trim();
  for (let before = ''; before !== left;) {
    before = left;
    left = withoutMarks(left);
    if (left === '') {
      // The last label is the whole rest.
      before = '';
      left = kept.pop()?.trim() ?? '';
    }
    const label = labelBeforeText(left);
    if (label === '') continue;
    left = left.slice(label.length);
    if (STATES.test(label)) states.push(label);
    else if (!lists.has(label.trim().slice(1, -1).trim().toLowerCase())) kept.push(label);
  }
  const recovery = states.length > 0 && !states.some((state) => TROUBLE_IN_STATES.test(state));
  return { subject: (kept.join('') + left).trim(), recovery };
}

/** The label at the beginning, with the white space after it. Empty where there is none, and where it is the whole. */
function labelBeforeText(subject: string): string {
  const [label = ''] = LABEL.exec(subject) ?? [];
  return label.length === subject.length ? '' : label;
}

function withoutMarks(subject: string): string {
  const left = subject.replace(TRAILER, '').replace(REPLY_PREFIX, '');
  const wrapped = WRAPPED.exec(left)?.[1];
  return wrapped === undefined || closesMoreThanItOpens(wrapped) ? left : wrapped.trim();
}

/** Whether a closing bracket in `text` belongs to an opening one before it: `[fwd: a] [b]` is two labels. */
function closesMoreThanItOpens(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    open += bracket === '[' ? 1 : -1;
    if (open < 0) return true;
  }
  return false;
}

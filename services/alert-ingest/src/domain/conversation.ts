/** What stands before the subject of an answer or a forward, in the languages whose mail programs have words of their own. */
const ANSWERED = /^(?:re|aw|antw|sv|odp|fwd?|wg|tr|rv)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]\s*/i;
/** The name of a list, or of a system, in brackets. */
const LABEL = /^\[[^[\]]*\]\s*/;
const WRAPPED = /^\[fwd?:(.*)\]$/is;
const TRAILER = /\s*\(fwd\)$/i;

/**
 * The subject without what answers, forwards and lists add to it, repeated and in any case, white space made one space: the
 * same for all mails of a conversation (RFC 5256, section 2.1). A label in brackets goes only where something is left of
 * the subject; empty where it says nothing but that it is an answer. Found again in its own result.
 */
export function conversationSubject(subject: string): string {
  let left = subject.replaceAll(/\s+/g, ' ').trim();
  for (let before = ''; before !== left;) {
    before = left;
    left = withoutLabel(left.replace(TRAILER, '').replace(ANSWERED, ''));
    left = WRAPPED.exec(left)?.[1]?.trim() ?? left;
  }
  return left;
}

function withoutLabel(subject: string): string {
  const rest = subject.replace(LABEL, '');
  return rest === '' ? subject : rest;
}

/** How much is taken from one number, its digits alone. Asking is taking. */
export interface ReplyLimits {
  /** Whether one more reply of the number is read. */
  mayReply(number: string): boolean;
  /** Whether the number is told once more how to reply. */
  mayBeTold(number: string): boolean;
}

import { isSentInShadow, type SentKind, type ShadowState } from '../shadow/shadow.ts';

/** A process that knows a state of the switch, which a test may change. */
export function shadowThatIs(state: ShadowState) {
  return {
    state,
    holdsBack(kind: SentKind): boolean {
      return this.state === 'on' && !isSentInShadow(kind);
    },
    maySend(kind: SentKind): boolean {
      return this.state === 'off' || (this.holdsBack(kind) === false && this.state === 'on');
    },
  };
}

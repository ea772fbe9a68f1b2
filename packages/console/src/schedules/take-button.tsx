import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { peopleText, type Stretch } from './stretches.ts';
import { timeText } from './time-text.ts';

/** What a person can do with a timeline. */
export interface Editing {
  /** Their own. */
  readonly username: string;
  /** Why they cannot change overrides. */
  readonly refused: string | undefined;
  readonly onOverride: (span: { readonly from: number; readonly until: number }) => void;
  readonly onTake: (stretch: Stretch) => void;
}

interface TakeButtonProps {
  readonly stretch: Stretch;
  readonly zone: string;
  readonly now: number;
  readonly editing: Editing;
}

/** Puts the signed-in person on call for the time of a shift. */
export function TakeButton({ editing, now, stretch, zone }: TakeButtonProps): JSX.Element {
  const over = stretch.until <= now ? 'This shift is over.' : undefined;
  const isMine = stretch.names.length === 1 && stretch.names[0] === editing.username;
  return (
    <Button
      aria-label={`Take this shift: ${peopleText(stretch)}, ${timeText(stretch.from, zone)}`}
      disabledReason={over ?? (isMine ? 'This shift is yours.' : editing.refused)}
      onClick={() => {
        editing.onTake(stretch);
      }}
    >
      Take this shift
    </Button>
  );
}

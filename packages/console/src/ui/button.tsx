import { type ComponentProps, type JSX, useId, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import styles from './ui.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'aria-disabled'> {
  readonly look?: 'primary' | 'plain';
  /** Why it does nothing at present: shown when it is pressed, and read out with it. A button is never hidden or dead without one. */
  readonly disabledReason?: string | undefined;
}

export function Button({
  className,
  disabledReason,
  look,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): JSX.Element {
  const reasonId = useId();
  const [isReasonShown, showReason] = useState(false);
  const isDisabled = disabledReason !== undefined;
  if (!isDisabled && isReasonShown) showReason(false);
  const names = [styles['button'], look && styles[look], className].filter(Boolean).join(' ');
  return (
    <>
      <button
        {...rest}
        // A disabled submit would still send its form.
        type={isDisabled ? 'button' : type}
        className={names}
        aria-disabled={isDisabled || undefined}
        aria-describedby={isDisabled ? reasonId : rest['aria-describedby']}
        title={disabledReason}
        onClick={
          isDisabled
            ? () => {
                showReason(true);
                announce(disabledReason);
              }
            : onClick
        }
      />
      {isDisabled && (
        <span id={reasonId} className={isReasonShown ? styles['reason'] : styles['hidden']}>
          {disabledReason}
        </span>
      )}
    </>
  );
}

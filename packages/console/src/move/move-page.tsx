import { useQuery } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import { PageHeading } from '../shell/announcer.tsx';
import { Empty } from '../ui/empty.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { agoText } from '../ui/time.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { ConditionItem } from './condition-item.tsx';
import { EndSection } from './end-section.tsx';
import { firstSteps, isOld, type Move, nextSteps, type Shadow, standingText } from './move.ts';
import styles from './move.module.css';
import { moveQuery, openedMoveStore, shadowQuery } from './queries.ts';
import { ShadowSection } from './shadow-section.tsx';
import { Steps } from './steps.tsx';

/** Where the account stands in its move from another product, and what to do next (M7). */
export function MovePage(): JSX.Element {
  const move = useQuery(moveQuery);
  const shadow = useQuery(shadowQuery);
  useEffect(() => {
    openedMoveStore.set(true);
  }, []);
  return (
    <>
      <PageHeading title="Move" />
      <Loaded query={move} height="24rem">
        {(checked) => (
          <Loaded query={shadow} height="24rem">
            {(present) =>
              checked === null ? <Begin shadow={present} /> : <Standing move={checked} shadow={present} />
            }
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

/** Before the first check. */
function Begin({ shadow }: { readonly shadow: Shadow }): JSX.Element {
  return (
    <>
      <Empty title="No check of a move is published">
        <p>
          This page shows where the account stands in its move to Tocsin, once{' '}
          <code>tocsin cutover check --publish</code> has stored a check.
        </p>
      </Empty>
      <Steps title="The first commands" steps={firstSteps()} />
      <ShadowSection shadow={shadow} />
    </>
  );
}

function Standing({ move, shadow }: { readonly move: Move; readonly shadow: Shadow }): JSX.Element {
  const now = useNow(15_000);
  const { checkedAt, conditions, from, publishedBy } = move;
  return (
    <>
      <h2 className={styles['standing']}>{standingText(move, shadow, now)}</h2>
      <p className={ui['hint']}>
        The move is from {from}. Checked {agoText(Date.parse(checkedAt), now)}, <Instant at={checkedAt} />, by{' '}
        {publishedBy}.
      </p>
      {isOld(move, now) && (
        <p role="note" className={ui['changes']}>
          This check is older than a day. Run it again.
        </p>
      )}
      <ul className={styles['conditions']}>
        {conditions.map((condition) => (
          <ConditionItem key={condition.name} condition={condition} />
        ))}
      </ul>
      <Steps title="What to do next" steps={nextSteps(move, shadow)} />
      <ShadowSection shadow={shadow} />
      <EndSection />
    </>
  );
}

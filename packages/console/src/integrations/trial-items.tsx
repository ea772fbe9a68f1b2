import { Fragment, type JSX, type ReactNode } from 'react';
import { ResponderLink } from '../people/responder-link.tsx';
import styles from './integrations.module.css';
import { effectText, fieldFacts, itemFacts, itemsText, type Trial, type TriedItem } from './trial.ts';

/** What each item of a request would come to. */
export function TrialItems({ trial: { itemCount, items, preset } }: { readonly trial: Trial }): JSX.Element {
  return (
    <>
      <p role="status">
        Read by the preset {preset}: {itemsText(itemCount)}.
      </p>
      <ol aria-label="Items of the request" className={styles['items']}>
        {items.map((item, index) => (
          <li key={index}>
            <Item item={item} />
          </li>
        ))}
      </ol>
      {itemCount > items.length && <p>The further {itemCount - items.length} items are not shown.</p>}
    </>
  );
}

function Item({ item }: { readonly item: TriedItem }): JSX.Element {
  const { alert, remarks, unmatched } = item;
  const responders = alert?.responders ?? [];
  return (
    <>
      <p>
        <strong>{effectText(item)}</strong>
      </p>
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      <Facts facts={itemFacts(item)}>
        {responders.length > 0 && (
          <>
            <dt>Responders</dt>
            <dd>
              {responders.map((responder, index) => (
                <Fragment key={index}>
                  {index > 0 && ', '}
                  <Responder responder={responder} />
                </Fragment>
              ))}
            </dd>
          </>
        )}
      </Facts>
      <details>
        <summary>Fields and details</summary>
        <Facts facts={fieldFacts(item)} />
      </details>
      {unmatched.length > 0 && (
        <details open={item.action === undefined}>
          <summary>Actions that do not match: {unmatched.length}</summary>
          <ul>
            {unmatched.map(({ name, reason, type }, index) => (
              <li key={index}>
                {name} ({type}): {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

type TriedResponder = NonNullable<TriedItem['alert']>['responders'][number];

/** By its name. One that the request names without an id is known by what it says. */
function Responder({ responder: { id, name, type } }: { readonly responder: TriedResponder }): JSX.Element {
  return id === undefined ? <>{`${type} ${name ?? ''}`}</> : <ResponderLink responder={{ type, id }} />;
}

interface FactsProps {
  readonly facts: ReturnType<typeof itemFacts>;
  /** Further facts, below these. */
  readonly children?: ReactNode;
}

function Facts({ children, facts }: FactsProps): JSX.Element {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, text]) => (
        <Fact key={name} name={name} text={text} />
      ))}
      {children}
    </dl>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}

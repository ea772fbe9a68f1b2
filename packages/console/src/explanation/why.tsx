import { useQuery } from '@tanstack/react-query';
import { type JSX, type SubmitEvent, useState } from 'react';
import { PersonField } from '../people/person-field.tsx';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import styles from '../alerts/alerts.module.css';
import { type Explanation, type ExplanationStep, noUsersText, outcomeText, userFault } from './explanation.ts';
import own from './explanation.module.css';
import { ServerText } from './server-text.tsx';
import { explanationQuery, userExplanationQuery } from './queries.ts';

type Question = 'why' | 'why-not';

/** Who was paged and why, and why a person was not. What is asked is read when it is opened. */
export function Why({ id }: { readonly id: string }): JSX.Element {
  const [open, setOpen] = useState<Question>();
  const toggle = (question: Question) => () => {
    setOpen(open === question ? undefined : question);
  };
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <div className={ui['row']}>
        <Button aria-expanded={open === 'why'} onClick={toggle('why')}>
          Why?
        </Button>
        <Button aria-expanded={open === 'why-not'} onClick={toggle('why-not')}>
          Why not …?
        </Button>
      </div>
      {open === 'why' && <WhyAll id={id} />}
      {open === 'why-not' && <WhyNot id={id} />}
    </section>
  );
}

function WhyAll({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery(explanationQuery(id));
  return (
    <Loaded query={query} height="20rem">
      {({ data }) => <Explained explanation={data} />}
    </Loaded>
  );
}

/** Asks about one person: the answer says why they were paged, too. */
function WhyNot({ id }: { readonly id: string }): JSX.Element {
  const [text, setText] = useState('');
  const [user, setUser] = useState<string>();
  const query = useQuery(userExplanationQuery(id, user));
  const fault = userFault(query.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() === user) void query.refetch();
    else setUser(text.trim());
  };
  return (
    <>
      <form onSubmit={submit}>
        <PersonField label="Person" text={text} onText={setText} error={user === text.trim() ? fault : undefined} />
        <Button type="submit" disabledReason={text.trim() === '' ? 'Type or choose a person first.' : undefined}>
          Say why
        </Button>
      </form>
      {user !== undefined && fault === undefined && (
        <Loaded query={query} height="12rem">
          {({ data }) => <Explained explanation={data} />}
        </Loaded>
      )}
    </>
  );
}

/** The most steps that are shown at first. */
const FIRST_STEPS = 100;

function Explained({ explanation: { steps, truncated, users } }: { readonly explanation: Explanation }): JSX.Element {
  const [areAllShown, showAll] = useState(false);
  const shown = areAllShown ? steps : steps.slice(0, FIRST_STEPS);
  return (
    <>
      <div role="status">
        {users.length === 0 ? (
          <p>{noUsersText({ truncated })}</p>
        ) : (
          <ul aria-label="Users" className={own['reasons']}>
            {users.map((each) => (
              <li key={each.user.id}>
                <strong>{outcomeText(each)}</strong> <ServerText text={each.reason} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {steps.length > 0 ? (
        <ol aria-label="Steps" className={styles['log']}>
          {shown.map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </ol>
      ) : (
        <p>The log has no step yet. It comes a moment after the alert.</p>
      )}
      {shown.length < steps.length && (
        <Button
          onClick={() => {
            showAll(true);
          }}
        >
          Show all {steps.length} steps
        </Button>
      )}
      {truncated && <p className={ui['hint']}>The log is longer than what is explained: this is its beginning.</p>}
    </>
  );
}

function Step({ step }: { readonly step: ExplanationStep }): JSX.Element {
  const { actor, at, stage, text } = step;
  return (
    <li data-type={stage === 'action' ? 'alertAction' : stage}>
      <Instant at={at} />
      <ServerText text={text} />
      {actor !== undefined && ` – ${actor}`}
    </li>
  );
}

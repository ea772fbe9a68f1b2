import { type JSX, useState } from 'react';
import { ServerText } from '../explanation/server-text.tsx';
import { localZone } from '../schedules/time-text.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import ui from '../ui/ui.module.css';
import { type AxisEntry, axisOf, methodText, NOT_SIMULATED, outcomeText, startText } from './decisions.ts';
import styles from './flow.module.css';
import type { Evaluation, Simulation, Trial } from './queries.ts';

/** What would happen to an alert: each decision in its order. */
export function TrialView({ trial: { evaluation, simulation } }: { readonly trial: Trial }): JSX.Element {
  return (
    <>
      <SimulationResult simulation={simulation} />
      <h3>Integration</h3>
      <p>Its actions are not simulated: the alert is taken as it is after them.</p>
      <Policies evaluation={evaluation} />
      <SimulationSteps simulation={simulation} />
      <NotSimulated />
    </>
  );
}

export function SimulationResult({ simulation }: { readonly simulation: Simulation }): JSX.Element {
  return (
    <>
      <p role="status">
        <strong>
          <ServerText text={outcomeText(simulation)} />
        </strong>
      </p>
      <p className={ui['hint']}>
        For <Instant at={simulation.at} />, with the people of that time. Times are in the zone of this device,{' '}
        {localZone()}. Nothing was written, and no user was notified.
      </p>
    </>
  );
}

function Policies({ evaluation }: { readonly evaluation: Evaluation }): JSX.Element {
  const { otherPolicies, policies } = evaluation;
  const matched = policies.filter(({ matched: isMatched }) => isMatched);
  const others = policies.filter(({ matched: isMatched }) => !isMatched);
  const start = startText(evaluation.flow);
  return (
    <>
      <h3>Policies</h3>
      {matched.length === 0 && <p>No policy takes effect.</p>}
      <PolicyList label="Policies that take effect" policies={matched} />
      {start !== undefined && (
        <p>
          <ServerText text={start} />
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>Policies without effect: {others.length + otherPolicies.notMatched}</summary>
          <PolicyList label="Policies without effect" policies={others} />
        </details>
      )}
    </>
  );
}

interface PolicyListProps {
  readonly label: string;
  readonly policies: Evaluation['policies'];
}

function PolicyList({ label, policies }: PolicyListProps): JSX.Element | false {
  return (
    policies.length > 0 && (
      <ol aria-label={label} className={styles['policies']}>
        {policies.map(({ id, text }) => (
          <li key={id}>
            <ServerText text={text} />
          </li>
        ))}
      </ol>
    )
  );
}

/** The most minutes that are shown at first. */
const FIRST_ENTRIES = 60;

/** Routing rules, escalation rules, and each message, on an axis of minutes. */
export function SimulationSteps({ simulation }: { readonly simulation: Simulation }): JSX.Element {
  const [areAllShown, showAll] = useState(false);
  const entries = axisOf(simulation);
  const shown = areAllShown ? entries : entries.slice(0, FIRST_ENTRIES);
  return (
    <>
      <h3>Routing, escalation and messages</h3>
      {entries.length === 0 ? (
        <p>No rule is reached.</p>
      ) : (
        <ol aria-label="Decisions" className={styles['axis']}>
          {shown.map((entry) => (
            <AxisItem key={entry.at} entry={entry} />
          ))}
        </ol>
      )}
      {shown.length < entries.length && (
        <Button
          onClick={() => {
            showAll(true);
          }}
        >
          Show all {entries.length} minutes
        </Button>
      )}
      {simulation.truncated && (
        <p className={ui['hint']}>More would follow: the simulation has a limit of decisions, messages and time.</p>
      )}
    </>
  );
}

function AxisItem({ entry: { after, at, messages, steps } }: { readonly entry: AxisEntry }): JSX.Element {
  return (
    <li>
      <div className={styles['minute']}>
        <strong>{after}</strong>
        <Instant at={at} />
      </div>
      <ul>
        {steps.map(({ text }, index) => (
          <li key={index}>
            <ServerText text={text} />
          </li>
        ))}
        {messages.map(({ method, user, why }, index) => (
          <li key={`message ${index}`} className={styles['message']}>
            <strong>
              {user.username}: {methodText(method)}
            </strong>{' '}
            <span className={ui['hint']}>{why}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

export function NotSimulated(): JSX.Element {
  return (
    <details>
      <summary>What is not simulated</summary>
      <ul>
        {NOT_SIMULATED.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

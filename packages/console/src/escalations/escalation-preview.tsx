import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { NotSimulated, SimulationResult, SimulationSteps } from '../flow/trial-view.tsx';
import { useSettled } from '../schedules/use-settled.ts';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import flow from '../flow/flow.module.css';
import type { EscalationBody } from './escalation-form.ts';
import { previewQuery } from './queries.ts';

/** How long a form has to stay the same before it is simulated. */
const SETTLED_MS = 500;

interface EscalationPreviewProps {
  readonly id: string;
  readonly name: string;
  /** What the form means; undefined while something in it is wrong. */
  readonly body: EscalationBody | undefined;
}

/** Whom an alert to the escalation would notify now, with the rules as they are typed. */
export function EscalationPreview({ body, id, name }: EscalationPreviewProps): JSX.Element {
  const settled = useSettled(body, JSON.stringify(body ?? ''), SETTLED_MS);
  const query = useQuery(previewQuery(id, settled));
  const search = new URLSearchParams({ message: 'Try', responders: `Escalation: ${name}` }).toString();
  return (
    <section aria-labelledby="preview" className={flow['result']}>
      <h2 id="preview">Preview</h2>
      <p className={ui['hint']}>
        An alert to this escalation, accepted now, with the rules as you typed them. Policies hold it back as any other
        alert; routing rules are not asked. <PageLink to={paths.flow(search)}>Try an alert</PageLink> of your own with
        the saved rules.
      </p>
      {body === undefined ? (
        <p role="note">The preview comes back once nothing in the form is wrong.</p>
      ) : (
        <Loaded query={query} height="16rem">
          {(simulation) => (
            <>
              <SimulationResult simulation={simulation} />
              <SimulationSteps simulation={simulation} />
              <NotSimulated />
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

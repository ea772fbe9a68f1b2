import { useQuery } from '@tanstack/react-query';
import { type JSX, type SubmitEvent, useState } from 'react';
import { AlertBasics } from '../flow/alert-fields.tsx';
import { formOfSearch, readAlert, refusedFields } from '../flow/alert-form.ts';
import flow from '../flow/flow.module.css';
import { trialQuery } from '../flow/queries.ts';
import { TrialView } from '../flow/trial-view.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import type { RoutingRule } from './routing-form.ts';

interface RoutingPreviewProps {
  readonly team: { readonly name: string };
  /** As they are saved: each change of them is simulated again. */
  readonly rules: readonly RoutingRule[];
}

/** Where an alert to the team goes, by the rules as they are saved. */
export function RoutingPreview({ rules, team }: RoutingPreviewProps): JSX.Element {
  const [form, setForm] = useState(() => formOfSearch({ responders: `Team: ${team.name}` }));
  const [asked, setAsked] = useState(form);
  const typed = readAlert(form);
  const { alert } = readAlert(asked);
  const query = useQuery(trialQuery(alert, JSON.stringify(rules)));
  const [isTried, setTried] = useState(false);
  const refused = refusedFields(query.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (typed.alert !== undefined) setAsked(form);
  };
  return (
    <section aria-labelledby="preview" className={flow['result']}>
      <h2 id="preview">Preview</h2>
      <p className={ui['hint']}>
        It uses the rules as they are saved, not what is typed in the form of a rule: save first, and the preview
        follows.
      </p>
      <form noValidate onSubmit={submit} aria-label="Alert of the preview">
        <AlertBasics
          form={form}
          faults={{ ...refused, ...(isTried && typed.faults) }}
          onChange={(change) => {
            setForm((before) => ({ ...before, ...change }));
          }}
        />
        <div className={ui['row']}>
          <Button type="submit">Try the alert</Button>
        </div>
      </form>
      {alert !== undefined && Object.keys(refused).length === 0 && (
        <Loaded query={query} height="16rem">
          {(trial) => <TrialView trial={trial} />}
        </Loaded>
      )}
    </section>
  );
}

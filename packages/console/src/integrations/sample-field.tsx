import { useMutation, useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { localZone } from '../schedules/time-text.ts';
import { Problem } from '../ui/problem.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { PresetSample } from './hook.ts';
import { readReceived, receivedQuery } from './queries.ts';
import { requestOf, sampleOptions, type TriedRequest } from './trial.ts';

interface SampleFieldProps {
  readonly integrationId: string;
  /** Those of the preset. */
  readonly samples: readonly PresetSample[];
  readonly onRequest: (request: TriedRequest) => void;
}

/** The choice of a sample of the preset, or of one of the last requests that came. */
export function SampleField({ integrationId, onRequest, samples }: SampleFieldProps): JSX.Element {
  const [chosen, setChosen] = useState('');
  const received = useQuery(receivedQuery(integrationId));
  const reading = useMutation({ mutationFn: (id: string) => readReceived(integrationId, id) });
  const options = sampleOptions(samples, received.data ?? [], localZone());
  const choose = (value: string) => {
    setChosen(value);
    // What is read no more fills the form.
    reading.reset();
    const sample = samples.find(({ name }) => name === value);
    if (sample !== undefined) onRequest(requestOf(sample));
    else if (value !== '')
      reading.mutate(value, {
        onSuccess: (request) => {
          onRequest(request);
        },
      });
  };
  return (
    <>
      <SelectField
        label="Sample request"
        value={options.some(({ value }) => value === chosen) ? chosen : ''}
        options={options}
        onValue={choose}
      />
      {received.error !== null && <Problem of="The last requests: " error={received.error} />}
      {reading.error !== null && <Problem of="This request: " error={reading.error} />}
    </>
  );
}

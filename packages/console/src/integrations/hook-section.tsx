import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { CopyButtons } from './copy-text.tsx';
import { hookUrl, lineParts, type Preset, presetOptions } from './hook.ts';
import styles from './integrations.module.css';
import { type Integration, presetsQuery } from './queries.ts';
import { YOUR_KEY } from './set-up-texts.ts';
import { TryRequest } from './try-request.tsx';
import { useChosenPreset } from './use-chosen-preset.ts';

interface HookSectionProps {
  readonly integration: Integration;
  /** The key that was just shown. */
  readonly apiKey: string | undefined;
}

/** The URL to which a tool sends its own requests, and what these would come to. */
export function HookSection({ apiKey, integration }: HookSectionProps): JSX.Element {
  const query = useQuery(presetsQuery);
  return (
    <section aria-labelledby="requests-of-tools">
      <h2 id="requests-of-tools">Requests of tools</h2>
      <Loaded query={query} height="30rem">
        {(presets) => <HookParts apiKey={apiKey} integration={integration} presets={presets} />}
      </Loaded>
    </section>
  );
}

function HookParts({
  apiKey,
  integration: { id, type },
  presets,
}: HookSectionProps & { readonly presets: readonly Preset[] }): JSX.Element | false {
  const { isOwn, name, own, preset, setName } = useChosenPreset(type, presets);
  if (preset === undefined) return false;
  const url = hookUrl({ origin: window.location.origin, apiKey, own }, preset);
  return (
    <>
      <PresetField presets={presets} value={name} onValue={setName} />
      <p>The URL to which it sends:</p>
      <pre className={styles['text']} tabIndex={0} aria-label="URL for requests">
        {url}
      </pre>
      <CopyButtons texts={{ URL: url }} />
      {apiKey === undefined && <p>Put the key in place of {YOUR_KEY}.</p>}
      <Lines lines={preset.setUp} url={url} />
      <Lines lines={preset.notes} url={url} look="hint" />
      {preset.docs !== undefined && (
        <p>
          <a href={preset.docs} rel="noreferrer">
            The documentation of {preset.title}
          </a>
        </p>
      )}
      <TryRequest integrationId={id} preset={preset} isOwn={isOwn} />
    </>
  );
}

interface PresetFieldProps {
  readonly presets: readonly Preset[];
  readonly value: string;
  readonly onValue: (name: string) => void;
}

/** The choice of a tool. */
export const PresetField = ({ onValue, presets, value }: PresetFieldProps): JSX.Element => (
  <div className={styles['tool']}>
    <SelectField label="Preset" value={value} options={presetOptions(presets)} onValue={onValue} />
  </div>
);

interface LinesProps {
  readonly lines: readonly string[];
  readonly url: string;
  readonly look?: 'hint';
}

const Lines = ({ lines, look, url }: LinesProps): JSX.Element[] =>
  lines.map((line) => (
    <p key={line} className={look === undefined ? styles['line'] : `${styles['line'] ?? ''} ${ui['hint'] ?? ''}`}>
      {lineParts(line, url).map(({ kind, text }, index) => {
        if (kind === 'code') return <code key={index}>{text}</code>;
        return kind === 'strong' ? <strong key={index}>{text}</strong> : text;
      })}
    </p>
  ));

import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import { PresetField } from './hook-section.tsx';
import type { Preset } from './hook.ts';
import { presetsQuery } from './queries.ts';
import { TryRequest } from './try-request.tsx';
import { useChosenPreset } from './use-chosen-preset.ts';

interface TryDraftProps {
  readonly integrationId: string;
  readonly integrationType: string;
  /** All actions of the integration, with those that are not saved. */
  readonly actions: object;
  readonly onDraftRefused: (fields: Readonly<Record<string, string>>) => void;
}

/** Says what a request of a tool would come to by actions that are not saved. */
export function TryDraft(props: TryDraftProps): JSX.Element {
  const query = useQuery(presetsQuery);
  return (
    <Loaded query={query} height="30rem">
      {(presets) => <DraftParts {...props} presets={presets} />}
    </Loaded>
  );
}

function DraftParts({
  integrationType,
  presets,
  ...props
}: TryDraftProps & { readonly presets: readonly Preset[] }): JSX.Element | false {
  const { isOwn, name, preset, setName } = useChosenPreset(integrationType, presets);
  return (
    preset !== undefined && (
      <div>
        <TryRequest {...props} preset={preset} isOwn={isOwn}>
          <PresetField presets={presets} value={name} onValue={setName} />
        </TryRequest>
      </div>
    )
  );
}

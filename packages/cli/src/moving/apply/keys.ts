import { CliError, EXIT } from '../../cli-error.ts';
import { privateContentOf } from '../account-key.ts';
import { isJson, type Json, objectIn, objectsIn, textIn } from '../json.ts';

/** The key of an integration of the account. */
export interface IntegrationKey {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

const MAX_BYTES = 64 * 1_024 * 1_024;

/**
 * The keys in a file: lines of integration id, comma and key, or the output of `terraform show -json`.
 *
 * @throws CliError (usage) where the file has neither, or where others can read it. No error has a key in it.
 */
export function keysIn(file: string): readonly IntegrationKey[] {
  const text = privateContentOf(file, MAX_BYTES).replace(/^\ufeff/, '');
  const keys = text.trimStart().startsWith('{') ? keysOfTerraform(text, file) : keysOfLines(text, file);
  if (keys.length === 0) throw new CliError(EXIT.usage, `${file} has no key of an integration.`);
  return keys;
}

const LINE = /^\s*"?([^",\s]+)"?\s*[,;]\s*"?([\x21-\x7e]+?)"?\s*$/;

function keysOfLines(text: string, file: string): readonly IntegrationKey[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '' || line.trimStart().startsWith('#') || (at === 0 && /id\s*"?\s*[,;]/i.test(line))) return [];
    const [, id, apiKey] = LINE.exec(line) ?? [];
    if (id !== undefined && apiKey !== undefined) return [{ id, name: id, apiKey }];
    throw new CliError(EXIT.usage, `Line ${at + 1} of ${file} is not the id of an integration, a comma and its key.`);
  });
}

function keysOfTerraform(text: string, file: string): readonly IntegrationKey[] {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw new CliError(EXIT.usage, `${file} is cut off or is not the output of \`terraform show -json\`.`);
  }
  const root = objectIn(objectIn(state, 'values'), 'root_module');
  return root === undefined ? [] : keysOfModule(root);
}

function keysOfModule(module: Json): readonly IntegrationKey[] {
  const own = objectsIn(module, 'resources').flatMap((resource) => {
    const values = objectIn(resource, 'values');
    const [id, apiKey] = [textIn(values, 'id'), textIn(values, 'api_key')];
    const isKey = (textIn(resource, 'type') ?? '').includes('integration') && id !== undefined && apiKey !== undefined;
    return isKey ? [{ id, name: textIn(values, 'name') ?? id, apiKey }] : [];
  });
  return [...own, ...objectsIn(module, 'child_modules').filter(isJson).flatMap(keysOfModule)];
}

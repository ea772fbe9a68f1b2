import { describe, expect, test } from '@jest/globals';
import { curlOf, setUpTexts, type SetUpFacts } from './set-up-texts.ts';

const facts: SetUpFacts = {
  origin: 'https://api.example.com:8443',
  type: 'API',
  ownerTeam: { name: 'Web' },
  allowConfigurationAccess: true,
};
const textOf = (tool: string, change: Partial<SetUpFacts> = {}) => {
  const found = setUpTexts({ ...facts, ...change }).find((each) => each.tool === tool);
  if (found === undefined) throw new RangeError(`There is no text for ${tool}.`);
  return found;
};

describe('the texts that set a tool up', () => {
  test('The first is that of the type; mail has its own alone, and a webhook sends itself.', () => {
    const tools = (type: string) => setUpTexts({ ...facts, type }).map(({ tool }) => tool);

    expect(tools('API')).toEqual(['curl', 'Alertmanager', 'Grafana', 'Terraform']);
    expect(tools('Zabbix')).toEqual(tools('API'));
    expect(tools('prometheus')).toEqual(['Alertmanager', 'curl', 'Grafana', 'Terraform']);
    expect(tools('Grafana')[0]).toBe('Grafana');
    expect(tools('Email')).toEqual(['Mail']);
    expect(tools('Webhook')).toEqual([]);
  });

  test('Each has the key that was just shown, and else a placeholder.', () => {
    for (const { text } of setUpTexts(facts)) expect(text).toContain('YOUR-KEY');
    for (const { text } of setUpTexts({ ...facts, apiKey: 'key-1' })) {
      expect(text).toContain('key-1');
      expect(text).not.toContain('YOUR-KEY');
    }
  });

  test('The command of curl has the address of this installation and the key.', () => {
    expect(curlOf('https://tocsin.example.com', 'key-1')).toBe(
      String.raw`curl -X POST https://tocsin.example.com/v2/alerts \
  -H 'Authorization: GenieKey key-1' \
  -H 'Content-Type: application/json' \
  -d '{"message":"Hello from curl","priority":"P3"}'`,
    );
  });

  test('Alertmanager has the root of the API, a short source, and responders where no team owns the integration.', () => {
    expect(textOf('Alertmanager', { apiKey: 'key-1' }).text).toBe(`receivers:
  - name: tocsin
    opsgenie_configs:
      - api_url: https://api.example.com:8443/
        api_key: key-1
        message: '{{ .CommonLabels.alertname }}'
        priority: '{{ if eq .CommonLabels.severity "page" }}P1{{ else }}P3{{ end }}'
        source: Alertmanager
        update_alerts: true`);
    expect(textOf('Alertmanager', { ownerTeam: undefined }).text).toContain(
      'responders: [{ type: team, name: YOUR-TEAM }]',
    );
  });

  test('Grafana has the full address of alerts.', () => {
    expect(textOf('Grafana').text).toContain('apiUrl: https://api.example.com:8443/v2/alerts');
  });

  test('Terraform has host and port alone, with a note where its provider would call another scheme.', () => {
    expect(textOf('Terraform').text).toContain('api_url = "api.example.com:8443"');
    expect(textOf('Terraform').notes).toEqual([]);
    expect(textOf('Terraform', { origin: 'http://127.0.0.1:8080' }).notes).toEqual([]);
    expect(textOf('Terraform', { origin: 'https://tocsin.example.com' }).notes[0]).toContain(
      'Here it calls http://tocsin.example.com',
    );
    expect(textOf('Terraform', { allowConfigurationAccess: false }).notes[0]).toContain('may not change');
  });

  test('Mail has the address of the integration.', () => {
    const { text } = textOf('Mail', { type: 'Email', emailAddress: 'ops@alerts.example.com' });
    expect(text).toMatch(/mail -s 'Disk full' ops@alerts\.example\.com$/);
  });
});

/** Integration actions such as an installation with many services has: each looks at a few fields, and none holds but the last. */
export function benchActions(count: number): object {
  const one = (index: number) => ({
    name: `Service ${index}`,
    order: index,
    alias: '{{details.host}}-{{entity.toLowerCase()}}',
    message: '{{message.replace("Disk", "Volume").substring(0, 100)}}',
    description: '{{description}} on {{details.host}} ({{tags}})',
    tags: ['{{entity}}', `service-${index}`],
    extraProperties: { mount: '{{details.mount.trim()}}' },
    filter: {
      conditionMatchType: 'match-all-conditions',
      conditions: [
        { field: 'message', operation: 'starts-with', expectedValue: 'Disk' },
        { field: 'extra-properties', key: 'host', operation: 'matches', expectedValue: `db-[0-9]+|svc-${index}` },
        { field: 'tags', operation: 'contains', expectedValue: index === count - 1 ? 'disk' : `service-${index}` },
      ],
    },
  });
  const all = Array.from({ length: count }, (_, index) => one(index));
  const third = Math.floor(count / 3);
  return { ignore: all.slice(0, third), create: all.slice(2 * third), close: all.slice(third, 2 * third) };
}

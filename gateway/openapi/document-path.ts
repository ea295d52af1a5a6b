const parameter = /:(\w+)/g;

/** A path of the route table as the document writes it: `/a/:id` is `/a/{id}`. */
export const documentPath = (path: string): string => path.replace(parameter, '{$1}');

/** Names of the parameters of a path of the route table, in their order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(parameter)].map(([, name]) => name);

/** A path of the route table with values, by name, in the place of its parameters. */
export const filledPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(parameter, (_, name: string) => encodeURIComponent(String(values[name])));

/** Values to choose from, or what each is called. */
export type Choices<T extends string> = readonly T[] | Readonly<Record<T, string>>;

/** Each value with what it is called. */
export const choiceEntries = <T extends string>(options: Choices<T>): readonly (readonly [T, string])[] =>
  Array.isArray(options)
    ? (options as readonly T[]).map((each) => [each, each] as const)
    : (Object.entries(options) as [T, string][]);

interface SelectProps<T extends string> {
  value: T;
  options: Choices<T>;
  onChange: (value: T) => void;
  id?: string;
  'aria-label'?: string;
}

/** A list of which one is chosen. */
export const Select = <T extends string>({ options, onChange, ...attributes }: SelectProps<T>) => (
  <select {...attributes} onChange={({ currentTarget }) => onChange(currentTarget.value as T)}>
    {choiceEntries(options).map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
);

/**
 * What is wrong with a version of Node, as one sentence; undefined if the range, as `engines` of package.json gives it, has it. Imports
 * nothing: on an old Node other files of the service cannot be loaded.
 */
export function nodeFault(version: string, range: string): string | undefined {
  const [major, minor] = version.split('.').map(Number);
  const isIn = range.split('||').some((part) => {
    const [, sign, least, leastMinor = '0'] = /(\^|>=)(\d+)(?:\.(\d+))?/.exec(part)!;
    return (
      (major === Number(least) && minor >= Number(leastMinor)) || (sign === '>=' && major > Number(least))
    );
  });
  return isIn ? undefined : `this is Node ${version}, and the service needs ${range}: install one of these`;
}

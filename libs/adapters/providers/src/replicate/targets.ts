/** The target of a model that runs the version that a training has made. */
export const TRAINED_VERSION = '{style_weights}';

export interface Target {
  readonly owner?: string;
  readonly name?: string;
  readonly version?: string;
  /** The path that creates predictions of it. */
  readonly path: string;
}

export function targetOf(target: string): Target {
  const [model = '', version] = target.split(':');
  const [owner, name] = model.split('/');
  if (name === undefined) return { version: target, path: '/predictions' };
  return version
    ? { owner, name, version, path: '/predictions' }
    : { owner, name, path: `/models/${model}/predictions` };
}

/** The path that creates trainings with the trainer `owner/name:version`; `null` for any other target. */
export function trainerPathOf(target: string): string | null {
  const { owner, name, version } = targetOf(target);
  return owner && name && version ? `/models/${owner}/${name}/versions/${version}/trainings` : null;
}

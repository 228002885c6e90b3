import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/* eslint-disable @typescript-eslint/no-explicit-any -- The values are of the C++ bindings. */

const FILE = /basis_transcoder\.js\?url$/;

/**
 * Emits the transcoder of KTX2 textures with closures where it compiles strings, which the policy of the page forbids.
 * Workers of blobs have that policy too.
 */
export function basisWithoutEval(): Plugin {
  return {
    name: 'basis-without-eval',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: FILE },
      async handler(id) {
        const source = withoutEval(await readFile(id.replace(/\?url$/, ''), 'utf8'));
        const file = this.emitFile({ type: 'asset', name: 'basis_transcoder.js', source });
        return `export default import.meta.ROLLUP_FILE_URL_${file};`;
      },
    },
  };
}

function withoutEval(script: string): string {
  const replaced = [
    [
      'newFunc(Function,args)(...closureArgs)',
      'invokerOf(argTypes,isClassMethodFunc,needsDestructorStack&&runDestructors,cppInvokerFunc,cppTargetFunc)',
    ],
    ['newFunc(Function,params)(...args)', 'methodCallerOf(types,retType.isVoid?null:emval_returnValue,retType,kind)'],
  ].reduce((text, [compiled, closure]) => {
    if (!text.includes(compiled!))
      throw new Error(`the transcoder of KTX2 has no ${compiled} any more: drop this plugin`);
    return text.replace(compiled!, closure!);
  }, script);
  return [replaced, invokerOf.toString(), methodCallerOf.toString()].join('\n');
}

/** A function that calls one of C++. @param runDestructors false if the arguments are destroyed one by one */
function invokerOf(types: any[], isMethod: boolean, runDestructors: any, invoke: any, target: any) {
  const [returned, self, ...parameters] = types;
  const wiredTypes = isMethod ? [self, ...parameters] : parameters;
  return function (this: any, ...given: any[]) {
    if (given.length !== parameters.length) throw new TypeError(`expected ${parameters.length} arguments`);
    const destructors = runDestructors ? [] : null;
    const values = isMethod ? [this, ...given] : given;
    const wired = wiredTypes.map((type, at) => type.toWireType(destructors, values[at]));
    const result = invoke(target, ...wired);
    if (runDestructors) runDestructors(destructors);
    else wiredTypes.forEach(({ destructorFunction: destroy }, at) => destroy?.(wired[at]));
    return returned.name === 'void' ? undefined : returned.fromWireType(result);
  };
}

/** A function by which C++ calls one of JavaScript. @param kind 0 for a method, 1 for a constructor */
function methodCallerOf(types: any[], returnValue: any, returned: any, kind: number) {
  return (object: any, callee: any, destructors: any, pointer: number) => {
    const values = types.map((type) => {
      const value = type.readValueFromPointer(pointer);
      pointer += type.argPackAdvance;
      return value;
    });
    if (kind === 0) values.unshift(object);
    const result = kind === 1 ? new callee(...values) : callee.call(...values);
    return returnValue ? returnValue(returned, destructors, result) : undefined;
  };
}

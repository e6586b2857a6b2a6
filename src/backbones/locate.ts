/** Where a backbone's files are: an ONNX file, a folder in Hugging Face's layout, or the name of one that was added. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileError, InputError } from "../files/errors.ts";

export interface BackboneFiles {
  readonly name: string;
  readonly model: string;
  /** `preprocessor_config.json`, where there is one. */
  readonly preprocessor: string | undefined;
  /** `config.json`, where there is one. */
  readonly config: string | undefined;
}

/** The folder of the backbones that were added, each in a folder of its own in Hugging Face's layout. */
export const backbonesFolder = (cacheFolder: string): string => join(cacheFolder, "backbones");

/** A name of one that was added means that; a file or folder of the same name is `./name`. */
export function locateBackbone(source: string, cacheFolder: string): BackboneFiles {
  const added = join(backbonesFolder(cacheFolder), source);
  if (isName(source) && existsSync(added)) return { ...filesOf(added), name: source };
  const status = statSync(source, { throwIfNoEntry: false });
  if (status === undefined)
    throw new InputError(
      `${source}: there is no such file or folder, nor a backbone of this name; "boostcluster backbone list" shows those ` +
        `that are here, and "boostcluster backbone add ${isName(source) ? source : "mobilenet"}" gets one`,
      { option: "backbone" },
    );
  return status.isDirectory() ? filesOf(source) : beside(source);
}

const isName = (source: string): boolean => /^[\w-]+(\.[\w-]+)*$/.test(source);

/** The best first: the part that sees, where a model also reads; whole numbers before halved and quantized ones. */
const modelNames = ["vision_model.onnx", "model.onnx", "vision_model_fp16.onnx", "model_fp16.onnx"];

function filesOf(folder: string): BackboneFiles {
  const places = [join(folder, "onnx"), folder].filter((place) => existsSync(place));
  const known = places.flatMap((place) => modelNames.map((name) => join(place, name))).find((file) => existsSync(file));
  const all = places.flatMap((place) => onnxFiles(place));
  const model = known ?? all[0];
  if (model === undefined)
    throw new InputError(`${folder}: holds no ONNX model (onnx/model.onnx, or another *.onnx)`, { option: "backbone" });
  if (known === undefined && all.length > 1)
    throw new InputError(
      `${folder}: holds several ONNX models (${all.map((file) => basename(file)).join(", ")}); name one`,
      {
        option: "backbone",
      },
    );
  return { ...beside(model), name: basename(resolve(folder)) };
}

function onnxFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".onnx"))
    .sort()
    .map((name) => join(folder, name));
}

/** Its descriptions lie in the same folder, or in the one above `onnx`. */
function beside(model: string): BackboneFiles {
  const folder = dirname(model);
  const places = basename(resolve(folder)) === "onnx" ? [folder, dirname(folder)] : [folder];
  const find = (name: string): string | undefined =>
    places.map((place) => join(place, name)).find((file) => existsSync(file));
  return {
    name: basename(model).replace(/\.onnx$/, ""),
    model,
    preprocessor: find("preprocessor_config.json"),
    config: find("config.json"),
  };
}

export function readBackboneFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** What a JSON file holds, whatever that is. */
export function readDescription(path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(readBackboneFile(path)));
  } catch (error) {
    if (error instanceof SyntaxError) throw new InputError(`${path}: this is not JSON; get the file again`);
    throw error;
  }
}

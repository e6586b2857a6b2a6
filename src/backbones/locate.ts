/** Where a backbone's files are: an ONNX file, a folder in Hugging Face's layout, or the name of one that was added. */
import { existsSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileError, InputError, reasonOf } from "../files/errors.ts";
import { addedBackbone, isBackboneName } from "./backbone-folder.ts";

export interface BackboneFiles {
  readonly name: string;
  readonly model: string;
  /** `preprocessor_config.json`, where there is one. */
  readonly preprocessor: string | undefined;
  /** `config.json`, where there is one. */
  readonly config: string | undefined;
}

/** A name of one that was added means that; a file or folder of the same name is `./name`. */
export function locateBackbone(source: string, cacheFolder: string): BackboneFiles {
  const added = addedBackbone(source, cacheFolder);
  if (added !== undefined) return filesOf(added);
  const status = statusOf(source);
  if (status === undefined) {
    const name = isBackboneName(source) ? source : "mobilenet";
    throw new InputError(
      `${source}: there is no such file or folder, nor a backbone of this name; "boostcluster backbone list" shows ` +
        `those that are here, and "boostcluster backbone add ${name}" gets one`,
      { option: "backbone" },
    );
  }
  return status.isDirectory() ? filesOf(source) : beside(source);
}

function statusOf(source: string): Stats | undefined {
  try {
    return statSync(source, { throwIfNoEntry: false });
  } catch (error) {
    throw new InputError(`${source}: cannot be opened (${reasonOf(error)}); check the path`, { option: "backbone" });
  }
}

/** The best first: the part that sees, where a model also reads; single precision before half. */
const modelNames = ["vision_model.onnx", "model.onnx", "vision_model_fp16.onnx", "model_fp16.onnx"];

function filesOf(folder: string): BackboneFiles {
  const models = [join(folder, "onnx"), folder].flatMap(onnxFiles);
  const known = modelNames.flatMap((name) => models.filter((file) => basename(file) === name));
  const [model, ...others] = known.length > 0 ? known.slice(0, 1) : models;
  if (model === undefined)
    throw new InputError(`${folder}: holds no ONNX model; put one there, as onnx/model.onnx`, { option: "backbone" });
  if (others.length > 0) {
    const names = models.map((file) => relative(folder, file)).join(", ");
    throw new InputError(`${folder}: holds several ONNX models (${names}); give the path of one`, {
      option: "backbone",
    });
  }
  return { ...beside(model), name: basename(resolve(folder)) };
}

function onnxFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".onnx"));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    throw fileError("read", folder, error);
  }
}

/** Its descriptions lie in the same folder, or in the one above `onnx`. */
function beside(model: string): BackboneFiles {
  const folder = dirname(model);
  const places = basename(resolve(folder)) === "onnx" ? [folder, dirname(resolve(folder))] : [folder];
  const find = (name: string): string | undefined =>
    places.map((place) => join(place, name)).find((file) => existsSync(file));
  return {
    name: basename(model).replace(/\.onnx$/, ""),
    model,
    preprocessor: find("preprocessor_config.json"),
    config: find("config.json"),
  };
}

/** Neither ONNX nor Node has larger files in one piece. */
const mostBytes = 2 ** 31 - 1;

export function readBackboneFile(path: string): Uint8Array {
  try {
    if (statSync(path).size > mostBytes)
      throw new InputError(`${path}: is larger than 2 GiB; take a smaller model, or one in half precision`);
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

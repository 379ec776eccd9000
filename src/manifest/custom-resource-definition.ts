import type { JsonSchemaProps } from './json-schema-props.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 is always shown, higher ones with `-o wide`. */
  readonly priority?: number;
}

/** A version of a CustomResourceDefinition. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: JsonSchemaProps };
  readonly subresources: { readonly status: Readonly<Record<never, never>> };
  readonly selectableFields: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns: readonly PrinterColumn[];
}

/** `apiextensions.k8s.io/v1` CustomResourceDefinition, as far as it is generated. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Cluster' | 'Namespaced';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
    };
    readonly versions: readonly CrdVersion[];
  };
}

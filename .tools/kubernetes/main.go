// Command kubernetes checks files of Kubernetes Jobs: a field that Kubernetes 1.29 does not have, one that is
// given twice, a value of another type, and a pod that the Pod Security Standard "restricted" forbids are
// errors.
package main

import (
	"bytes"
	"fmt"
	"os"

	batch "k8s.io/api/batch/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// check checks all documents of a file.
func check(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return err
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	_, documents, _ := bytes.Cut(text, []byte("\n---\n")) // after the comment
	for document := range bytes.SplitSeq(documents, []byte("\n---\n")) {
		var job batch.Job
		if err := yaml.UnmarshalStrict(document, &job); err != nil {
			return err
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" {
			return fmt.Errorf("%s %s is no Job", job.APIVersion, job.Kind)
		}
		pod := &job.Spec.Template
		for _, result := range evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec) {
			if !result.Allowed {
				return fmt.Errorf("%s: %s", result.ForbiddenReason, result.ForbiddenDetail)
			}
		}
	}
	return nil
}

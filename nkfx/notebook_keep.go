package nkfx

import (
	"encoding/gob"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Keep keeps a value for later cells, which are separate programs and read it by [Kept], until the kernel
// ends. It keeps what encoding/gob does, the exported fields of structs, and the variables of a *model.Store,
// so that a model is trained once.
func Keep(name string, value any) error {
	path, err := keptFile(name)
	if err != nil {
		return err
	}
	err = fileio.Write(path, 0o666, func(w io.Writer) error {
		encoder := gob.NewEncoder(w)
		if store, ok := value.(*model.Store); ok {
			return keepStore(encoder, store)
		}
		return encoder.Encode(value)
	})
	if err != nil {
		return fmt.Errorf("keeping %q: %w", name, err)
	}
	return nil
}

// Kept returns the value of type T that an earlier cell has kept under a name. It is an error if there is
// none, or if it is of another type.
func Kept[T any](name string) (*T, error) {
	path, err := keptFile(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%w: nothing is kept as %q: run the cell with Keep(%q, …) first",
			fs.ErrNotExist, name, name)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	value, decoder := new(T), gob.NewDecoder(file)
	if store, ok := any(&value).(**model.Store); ok {
		*store, err = keptStore(decoder)
	} else {
		err = decoder.Decode(value)
	}
	if err != nil {
		return nil, fmt.Errorf("the value kept as %q is not of type %v: %w", name, reflect.TypeFor[T](), err)
	}
	return value, nil
}

// keptVariable precedes the value of each variable of a store.
type keptVariable struct {
	Path      string
	Trainable bool
}

// keepStore writes the variables of a store, and an empty path.
func keepStore(encoder *gob.Encoder, store *model.Store) error {
	for v := range store.IterVariables() {
		if err := encoder.Encode(keptVariable{v.Path(), v.Trainable}); err != nil {
			return err
		}
		value, err := v.Value()
		if err != nil {
			return err
		}
		if err := value.GobSerialize(encoder); err != nil {
			return err
		}
	}
	return encoder.Encode(keptVariable{})
}

// keptStore reads what keepStore wrote.
func keptStore(decoder *gob.Decoder) (*model.Store, error) {
	store := model.NewStore()
	for {
		var v keptVariable
		if err := decoder.Decode(&v); err != nil {
			return nil, err
		}
		if v.Path == "" {
			return store, nil
		}
		value, err := tensors.GobDeserialize(decoder)
		if err != nil {
			return nil, err
		}
		variable, err := store.CreateVariable(v.Path, value)
		if err != nil {
			return nil, err
		}
		variable.SetTrainable(v.Trainable)
	}
}

// keptFile returns the file of a kept value, in the folder of the kernel.
func keptFile(name string) (string, error) {
	if !regexp.MustCompile(`^[\w-]+$`).MatchString(name) {
		return "", fmt.Errorf("the name %q: use letters, digits, - and _", name)
	}
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return "", fmt.Errorf("%s is not set: values are kept between the cells of a notebook only",
			protocol.GONB_TMP_DIR_ENV)
	}
	return filepath.Join(dir, "kept_"+name+".gob"), nil
}
